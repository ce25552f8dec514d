//! Server-sent events of work on a thread. Only the latest event is kept, so that a slow viewer costs no memory. The
//! work ends when its viewer leaves.

use std::cell::Cell;
use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use banyan_api::{Code, Refusal, Sink};
use futures_util::future::{Either, select};
use futures_util::stream;
use serde::Serialize;
use tokio::sync::{Notify, OwnedSemaphorePermit, watch};

use crate::priority::give_way;
use crate::queue::{Ticket, Turn};
use crate::refusal::{Refused, json};

/// Minimum interval between two events.
pub(crate) const EVERY: Duration = Duration::from_millis(100);

/// Interval between two keep-alive messages, without which a browser would not notice that the server has gone.
pub(crate) const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Stop flag of work: set by its viewer, by a request, or at the end of the server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<(AtomicBool, Notify)>);

impl Stop {
    pub(crate) fn set(&self) {
        let (flag, waiting) = &*self.0;
        flag.store(true, Ordering::Relaxed);
        waiting.notify_waiters();
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.0.load(Ordering::Relaxed)
    }

    /// Waits until it is set.
    async fn wait(&self) {
        let mut told = pin!(self.0.1.notified());
        // From here on no call of `set` is missed.
        told.as_mut().enable();
        if !self.is_set() {
            told.await;
        }
    }
}

/// An event: its name and its data, JSON in one line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    pub(crate) name: &'static str,
    pub(crate) data: String,
}

impl Message {
    pub(crate) fn new(name: &'static str, data: &impl Serialize) -> Message {
        let data = serde_json::to_string(data).unwrap_or_else(|_| json(&Refusal::internal()));
        Message { name, data }
    }

    pub(crate) fn failed(refusal: &Refusal) -> Message {
        Message { name: "error", data: json(refusal) }
    }

    pub(crate) fn sse(&self) -> Event {
        Event::default().event(self.name).data(&self.data)
    }
}

/// Channel for the reports of work, and its stop flags.
pub(crate) struct Reporter {
    latest: watch::Sender<Option<Message>>,
    /// When the last event was due.
    last: Cell<Option<Instant>>,
    stop: Stop,
    /// The stop flag of the whole server.
    closing: Stop,
}

impl Reporter {
    /// Replaces the next event to be sent.
    fn replace(&self, message: Message) {
        self.latest.send_replace(Some(message));
    }

    pub(crate) fn progress(&self, event: &impl Serialize) {
        self.replace(Message::new("progress", event));
    }

    /// Limits the rate of events.
    pub(crate) fn is_due(&self) -> bool {
        let is_due = self.last.get().is_none_or(|last| last.elapsed() >= EVERY);
        if is_due {
            self.last.set(Some(Instant::now()));
        }
        is_due
    }

    pub(crate) fn stopped(&self) -> bool {
        self.stop.is_set() || self.closing.is_set()
    }
}

impl<E: Serialize> Sink<E> for Reporter {
    fn is_due(&self) -> bool {
        Reporter::is_due(self)
    }

    fn send(&self, event: E) {
        self.progress(&event);
    }

    fn is_stopped(&self) -> bool {
        self.stopped()
    }
}

/// Work on a thread, which reports and sends a last event.
pub(crate) type Work = Box<dyn FnOnce(&Reporter) -> Result<Message, Refusal> + Send>;

/// Ends the work when the stream of its events is dropped, or if it never begins.
pub(crate) struct EndsWork(pub(crate) Stop);

impl Drop for EndsWork {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// When work begins.
pub(crate) enum Begin {
    /// With this permit, which is released when the work has ended.
    Now(OwnedSemaphorePermit),
    /// When its turn has come.
    Waits(Ticket),
}

/// Work whose events a viewer reads; it ends when that is dropped.
struct Viewed {
    /// `None` after the last event.
    stage: Option<Stage>,
    guard: EndsWork,
    closing: Stop,
}

enum Stage {
    Waits(Work, Ticket),
    Runs(watch::Receiver<Option<Message>>),
}

impl Viewed {
    async fn next(mut self) -> Option<(Message, Viewed)> {
        loop {
            match self.stage.take()? {
                Stage::Waits(work, mut ticket) => {
                    let turn = {
                        let (turn, stopped) = (pin!(ticket.next()), pin!(self.guard.0.wait()));
                        match select(turn, stopped).await {
                            Either::Left((turn, _)) => Some(turn),
                            Either::Right(_) => None,
                        }
                    };
                    let permit = match turn {
                        Some(Turn::Moved(place)) => {
                            self.stage = Some(Stage::Waits(work, ticket));
                            return Some((Message::new("waiting", &place), self));
                        }
                        Some(Turn::Closed) => return Some((Message::failed(&ends()), self)),
                        Some(Turn::Begins(permit)) => Some(permit),
                        // Work that is stopped ends as soon as it begins, with its last event.
                        None => None,
                    };
                    match start(after_others(work), &self.guard, &self.closing, permit) {
                        Ok(receiver) => self.stage = Some(Stage::Runs(receiver)),
                        Err(refusal) => return Some((Message::failed(&refusal), self)),
                    }
                }
                Stage::Runs(mut receiver) => {
                    receiver.changed().await.ok()?;
                    let message = receiver.borrow_and_update().clone();
                    self.stage = Some(Stage::Runs(receiver));
                    if let Some(message) = message {
                        return Some((message, self));
                    }
                }
            }
        }
    }
}

/// Answers with the events of work: `waiting` with its place while it waits, then those of the work itself.
pub(crate) fn events(work: Work, guard: EndsWork, closing: &Stop, begin: Begin) -> Response {
    let stage = match begin {
        Begin::Waits(ticket) => Stage::Waits(work, ticket),
        Begin::Now(permit) => match start(work, &guard, closing, Some(permit)) {
            Ok(receiver) => Stage::Runs(receiver),
            Err(refusal) => return Refused(refusal).into_response(),
        },
    };
    let viewed = Viewed { stage: Some(stage), guard, closing: closing.clone() };
    let sent = |(message, viewed): (Message, Viewed)| (Ok::<Event, Infallible>(message.sse()), viewed);
    let stream = stream::unfold(viewed, move |viewed| async move { viewed.next().await.map(sent) });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)).into_response()
}

/// Work that takes long.
fn after_others(work: Work) -> Work {
    Box::new(|reporter| {
        give_way();
        work(reporter)
    })
}

/// The last event of who waits when the server ends.
fn ends() -> Refusal {
    Refusal::new(Code::Busy, "the server ends", "expected one that runs", "try again later")
}

/// Starts work on a thread; the permit is released when it has ended.
fn start(
    work: Work,
    guard: &EndsWork,
    closing: &Stop,
    permit: Option<OwnedSemaphorePermit>,
) -> Result<watch::Receiver<Option<Message>>, Refusal> {
    let (sender, receiver) = watch::channel(None);
    let reporter = Reporter { latest: sender, last: Cell::new(None), stop: guard.0.clone(), closing: closing.clone() };
    let run = move || {
        let _permit = permit;
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| work(&reporter)));
        let last = ended.unwrap_or_else(|_| Err(Refusal::internal()));
        reporter.replace(last.unwrap_or_else(|refusal| Message::failed(&refusal)));
    };
    if thread::Builder::new().name("search".to_owned()).spawn(run).is_err() {
        let expected = "expected one for the search";
        return Err(Refusal::new(Code::NoThread, "no thread left", expected, "try again later"));
    }
    Ok(receiver)
}
