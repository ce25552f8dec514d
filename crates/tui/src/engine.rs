//! Searches on their own thread, one at a time. A new one, or [`Engine::stop`], ends the one that runs.

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::time::{Duration, Instant};

use banyan_api::{
    AnalysisView, End, Kept, Offer, Refusal, ReviewProgress, ReviewRequest, Reviewing, Search, SearchRequest, Sink,
    Step,
};
use banyan_core::threads;

/// Time between two reports of a search.
const EVERY: Duration = Duration::from_millis(80);

/// Work for the engine.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    /// Analyses a position, with the tree of the analysis before.
    Analyse(SearchRequest),
    /// Finds a move.
    Move(SearchRequest),
    /// Reviews a game.
    Review(ReviewRequest),
}

/// A report of the engine about its task.
pub(crate) enum News {
    Analysis(Box<AnalysisView>),
    Analysed(Box<AnalysisView>),
    Moves(Box<AnalysisView>),
    Reviews(Box<ReviewProgress>),
    Reviewed(Box<banyan_review::Review>),
    Failed(Refusal),
}

/// Ends a task.
type Stop = Arc<AtomicBool>;

struct Order {
    task: Task,
    stop: Stop,
    ticket: u64,
}

/// The thread of the searches.
pub(crate) struct Engine {
    orders: Sender<Order>,
    news: Receiver<(u64, News)>,
    stop: Stop,
    ticket: u64,
    runs: bool,
}

/// The engine has ended, because of a panic.
#[derive(Debug)]
pub(crate) struct Ended;

impl Engine {
    /// Starts the thread.
    ///
    /// # Errors
    /// The system refuses it.
    pub(crate) fn start(offer: Arc<Offer>) -> io::Result<Engine> {
        let (orders, to_do) = channel::<Order>();
        let (reports, news) = channel();
        threads::spawn(move || work(&offer, &to_do, &reports))?;
        Ok(Engine { orders, news, stop: Stop::default(), ticket: 0, runs: false })
    }

    /// Begins a task, and ends the one that runs; what that one reports is not passed on.
    pub(crate) fn begin(&mut self, task: Task) {
        self.stop();
        self.stop = Stop::default();
        self.runs = true;
        // If the thread has ended, `news` reports it.
        let _ = self.orders.send(Order { task, stop: Arc::clone(&self.stop), ticket: self.ticket });
    }

    /// Ends the task that runs, without waiting for it.
    pub(crate) fn stop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.ticket += 1;
        self.runs = false;
    }

    /// Whether a task runs whose end was not reported yet.
    pub(crate) fn is_running(&self) -> bool {
        self.runs
    }

    /// The reports of the current task since the last call.
    ///
    /// # Errors
    /// The thread has ended.
    pub(crate) fn news(&mut self) -> Result<Vec<News>, Ended> {
        let mut all = Vec::new();
        loop {
            match self.news.try_recv() {
                Ok((ticket, news)) if ticket == self.ticket => {
                    self.runs &= matches!(news, News::Analysis(_) | News::Reviews(_));
                    all.push(news);
                }
                Ok(_) => {}
                Err(TryRecvError::Empty) => return Ok(all),
                Err(TryRecvError::Disconnected) => return Err(Ended),
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Does the orders, until their sender is gone.
fn work(offer: &Offer, orders: &Receiver<Order>, reports: &Sender<(u64, News)>) {
    let mut kept = None;
    for Order { task, stop, ticket } in orders {
        if stop.load(Ordering::Relaxed) {
            continue;
        }
        let sink = Reports { reports, stop: &stop, ticket, last: Cell::new(None) };
        let end = match task {
            Task::Analyse(request) => searched(offer, &request, End::BudgetOrViewer, &mut kept, &sink)
                .map(|view| News::Analysed(Box::new(view))),
            Task::Move(request) => {
                searched(offer, &request, End::Budget, &mut None, &sink).map(|view| News::Moves(Box::new(view)))
            }
            Task::Review(request) => reviewed(offer, request, &sink).map(|review| News::Reviewed(Box::new(review))),
        };
        // The screen is gone.
        if reports.send((ticket, end.unwrap_or_else(News::Failed))).is_err() {
            return;
        }
    }
}

fn searched(
    offer: &Offer,
    request: &SearchRequest,
    end: End,
    kept: &mut Option<Kept>,
    sink: &Reports<'_>,
) -> Result<AnalysisView, Refusal> {
    let (begun, mut running) = Search::new(offer, request, end)?.begin(kept.take())?;
    let kept = kept.insert(begun);
    loop {
        if let Step::Done(view) = running.step(kept, sink)? {
            return Ok(view);
        }
    }
}

fn reviewed(offer: &Offer, request: ReviewRequest, sink: &Reports<'_>) -> Result<banyan_review::Review, Refusal> {
    let mut running = Reviewing::new(offer, request)?.begin()?;
    loop {
        if let Step::Done(review) = running.step(sink)? {
            return Ok(review);
        }
    }
}

/// Sends what a task finds, and ends it.
struct Reports<'a> {
    reports: &'a Sender<(u64, News)>,
    stop: &'a Stop,
    ticket: u64,
    last: Cell<Option<Instant>>,
}

impl Reports<'_> {
    fn report(&self, news: News) {
        self.last.set(Some(Instant::now()));
        // If the screen is gone, the task is stopped too.
        let _ = self.reports.send((self.ticket, news));
    }

    fn is_due(&self) -> bool {
        self.last.get().is_none_or(|last| last.elapsed() >= EVERY)
    }

    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

impl Sink<AnalysisView> for Reports<'_> {
    fn is_due(&self) -> bool {
        self.is_due()
    }

    fn send(&self, event: AnalysisView) {
        self.report(News::Analysis(Box::new(event)));
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped()
    }
}

impl Sink<ReviewProgress> for Reports<'_> {
    fn is_due(&self) -> bool {
        self.is_due()
    }

    fn send(&self, event: ReviewProgress) {
        self.report(News::Reviews(Box::new(event)));
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped()
    }
}
