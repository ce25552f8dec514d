//! A search that runs in slices.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use banyan_api::{Kept, Refusal, RunningReview, RunningSearch, SearchTree, Solving, Step};
use banyan_core::clock::Instant;
use serde::Serialize;

use crate::slice_sink::{Listener, SliceSink, json};

/// Longest slice: a page without slices may pass any time.
const LONGEST_MS: f64 = 1e9;

/// An analysis, a move, a proof or a review.
pub struct Job {
    work: RefCell<Work>,
    pauses: bool,
    is_done: Cell<bool>,
    stopped: Cell<bool>,
    sent_at: Cell<Instant>,
}

/// The tree of the last search that was to be kept, with its name.
pub(crate) type KeptTree = Rc<RefCell<Option<(String, Kept)>>>;

/// The work of a job.
pub(crate) enum Work {
    Search {
        running: Box<RunningSearch>,
        tree: SearchTree,
        /// The player with its tree.
        kept: Option<Kept>,
        /// The name of the tree, and the place in which it is kept in the end.
        place: Option<(String, KeptTree)>,
    },
    Solve(Option<Solving>),
    Review(Box<RunningReview>),
}

impl Job {
    pub(crate) fn new(work: Work) -> Job {
        let pauses = match &work {
            Work::Search { tree, .. } => tree.check().is_ok(),
            Work::Review(_) => true,
            Work::Solve(_) => false,
        };
        let (is_done, stopped, sent_at) = (Cell::new(false), Cell::new(false), Cell::new(Instant::now()));
        Job { work: RefCell::new(work), pauses, is_done, stopped, sent_at }
    }

    /// Whether a slice ends after its time. Otherwise the first one lasts until the result: a search without a tree would begin again.
    pub fn pauses(&self) -> bool {
        self.pauses
    }

    /// Ends the job with what it has found, in the slice that runs or in the next one.
    pub fn stop(&self) {
        self.stopped.set(true);
    }

    /// Works for about `ms` milliseconds. Sends intermediate results as `progress`, at most ten in a second, and in the end `done` with the
    /// result or `error` with a refusal. Returns whether there is more to do.
    pub fn step(&self, ms: f64, send: Listener<'_>) -> bool {
        // A call from within `send`, while a slice runs.
        let Ok(mut work) = self.work.try_borrow_mut() else { return true };
        if self.is_done.get() {
            return false;
        }
        // No time is one step of the search; so is what is no number.
        let slice = Duration::from_secs_f64(if ms > 0.0 { ms.min(LONGEST_MS) / 1000.0 } else { 0.0 });
        let end = self.pauses.then(|| Instant::now() + slice);
        let sink = SliceSink { send, stopped: &self.stopped, sent_at: &self.sent_at, end };
        let result = match work.run(&sink) {
            Ok(Step::Paused) => return true,
            Ok(Step::Done(result)) => ("done", result),
            Err(refusal) => ("error", json(&refusal)),
        };
        self.is_done.set(true);
        work.put_away();
        drop(work);
        send(result.0, &result.1);
        false
    }

    /// The top of the search tree as JSON, with about 60 nodes unless given.
    ///
    /// # Errors
    /// The refusal as JSON: a job without a tree.
    pub fn tree(&self, nodes: Option<usize>) -> Result<String, String> {
        let missing = || json(&SearchTree::missing());
        // Within a slice the tree is in use.
        let work = self.work.try_borrow().map_err(|_| missing())?;
        let Work::Search { tree, kept, place, .. } = &*work else { return Err(missing()) };
        tree.check().map_err(|refusal| json(&refusal))?;
        let kept_tree = place.as_ref().map(|(name, kept_tree)| (name, kept_tree.borrow()));
        let put_away = || {
            kept_tree.as_ref().and_then(|(name, kept_tree)| (**kept_tree).as_ref().filter(|(other, _)| other == *name))
        };
        let kept = kept.as_ref().or_else(|| put_away().map(|(_, kept)| kept));
        kept.and_then(|kept| tree.top(kept, nodes)).map(|top| json(&top)).ok_or_else(missing)
    }
}

impl Work {
    /// Runs a slice; the result is JSON.
    fn run(&mut self, sink: &SliceSink<'_>) -> Result<Step<String>, Refusal> {
        Ok(match self {
            Work::Search { running, kept, .. } => {
                in_json(running.step(kept.as_mut().expect("it is put away at the end"), sink)?)
            }
            Work::Solve(solving) => Step::Done(json(&solving.take().expect("it runs once").run(sink))),
            Work::Review(running) => in_json(running.step(sink)?),
        })
    }

    /// Puts the tree of a search in its place, if it has a name.
    fn put_away(&mut self) {
        if let Work::Search { kept, place: Some((name, kept_tree)), .. } = self
            && let Some(kept) = kept.take()
        {
            *kept_tree.borrow_mut() = Some((name.clone(), kept));
        }
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        self.work.get_mut().put_away();
    }
}

fn in_json<T: Serialize>(step: Step<T>) -> Step<String> {
    match step {
        Step::Paused => Step::Paused,
        Step::Done(result) => Step::Done(json(&result)),
    }
}
