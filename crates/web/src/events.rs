//! Server-sent events of work on a thread. Only the latest event is kept, so that a slow viewer costs no memory. The
//! work ends when its viewer leaves.

use std::cell::Cell;
use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use banyan_api::{Code, Refusal, Sink};
use futures_util::stream;
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, watch};

use crate::refusal::{Refused, json};

/// Minimum interval between two events.
pub(crate) const EVERY: Duration = Duration::from_millis(100);

/// Interval between two keep-alive messages, without which a browser would not notice that the server has gone.
pub(crate) const SIGN_OF_LIFE: Duration = Duration::from_secs(15);

/// Stop flag of work: set by its viewer, by a request, or at the end of the server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    pub(crate) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
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

/// Starts work and answers with its events. The permit is released when the work has ended.
pub(crate) fn stream_of(work: Work, guard: EndsWork, closing: &Stop, permit: OwnedSemaphorePermit) -> Response {
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
        return Refused(Refusal::new(Code::NoThread, "no thread left", expected, "try again later")).into_response();
    }
    events(receiver, guard)
}

/// Sends events until the work has ended and its last event is sent.
fn events(receiver: watch::Receiver<Option<Message>>, guard: EndsWork) -> Response {
    let next = |(mut receiver, guard): (watch::Receiver<Option<Message>>, EndsWork)| async move {
        loop {
            receiver.changed().await.ok()?;
            let message = receiver.borrow_and_update().clone();
            if let Some(message) = message {
                return Some((Ok::<Event, Infallible>(message.sse()), (receiver, guard)));
            }
        }
    };
    let stream = stream::unfold((receiver, guard), next);
    Sse::new(stream).keep_alive(KeepAlive::new().interval(SIGN_OF_LIFE)).into_response()
}
