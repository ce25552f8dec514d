//! The queue of positions, by priority and then by arrival, and the positions being searched.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::query::Query;

/// One position of a query.
pub(super) struct Job {
    pub(super) query: Arc<Query>,
    pub(super) turn: usize,
    /// Set to end its search.
    pub(super) stop: Arc<AtomicBool>,
    rank: (i64, Reverse<u64>),
}

impl PartialEq for Job {
    fn eq(&self, other: &Job) -> bool {
        self.rank == other.rank
    }
}

impl Eq for Job {}

impl PartialOrd for Job {
    fn partial_cmp(&self, other: &Job) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Job {
    fn cmp(&self, other: &Job) -> std::cmp::Ordering {
        self.rank.cmp(&other.rank)
    }
}

/// The positions being searched.
struct Running {
    number: Reverse<u64>,
    id: String,
    turn: usize,
    stop: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    waiting: BinaryHeap<Job>,
    running: Vec<Running>,
    n_taken: u64,
    is_closed: bool,
}

/// Shared by the reader and the search threads.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    changed: Condvar,
}

impl Queue {
    /// Adds all positions of a query.
    pub(super) fn add(&self, query: Query) {
        let query = Arc::new(query);
        let mut state = self.lock();
        for &(turn, priority) in &query.turns {
            let rank = (priority, Reverse(state.n_taken));
            state.n_taken += 1;
            state.waiting.push(Job { query: Arc::clone(&query), turn, stop: Arc::default(), rank });
        }
        self.changed.notify_all();
    }

    /// Marks the end of input.
    pub(super) fn close(&self) {
        self.lock().is_closed = true;
        self.changed.notify_all();
    }

    /// Waits for the next position to search; `None` at the end of input.
    pub(super) fn next(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if let Some(job) = state.waiting.pop() {
                let (id, turn, stop) = (job.query.id.clone(), job.turn, Arc::clone(&job.stop));
                state.running.push(Running { number: job.rank.1, id, turn, stop });
                return Some(job);
            }
            if state.is_closed {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Marks a position as searched.
    pub(super) fn finish(&self, job: &Job) {
        self.lock().running.retain(|running| running.number != job.rank.1);
    }

    /// Ends the searches selected by `is_meant(query, turn)`.
    pub(super) fn stop(&self, is_meant: impl Fn(&str, usize) -> bool) {
        for running in &self.lock().running {
            if is_meant(&running.id, running.turn) {
                running.stop.store(true, Ordering::Relaxed);
            }
        }
    }

    /// Removes and returns the waiting positions selected by `is_meant(query, turn)`, by priority.
    pub(super) fn take_back(&self, is_meant: impl Fn(&str, usize) -> bool) -> Vec<Job> {
        let mut state = self.lock();
        let (mut ended, kept): (Vec<Job>, Vec<Job>) =
            state.waiting.drain().partition(|job| is_meant(&job.query.id, job.turn));
        state.waiting = kept.into();
        ended.sort_by(|a, b| b.cmp(a));
        ended
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
