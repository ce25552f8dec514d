//! Parallel alpha-beta search of one position by a main thread and its helpers.
//!
//! All threads share one table. A thread defers moves that another one is searching (after Kerrigan's simplification of
//! ABDADA: Weill 1996, The ABDADA Distributed Minimax Search Algorithm); when it returns to them, the table mostly has
//! their values.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use banyan_core::{InProgress, Limits};

use super::stop_condition::StopCondition;

/// Positions after which the main thread starts helpers: a shorter search, of some tenths of a millisecond, ends before
/// a thread has started. Guess, untuned.
pub(super) const HELP_FROM: u64 = 4_000;
/// Positions between two checks of the shared state.
const CHECK_EVERY: u64 = 256;
/// The shared state of the threads besides the table.
pub(super) struct Coordination {
    n_threads: usize,
    /// Positions and static evaluations after which all threads stop.
    max_nodes: u64,
    max_evals: u64,
    /// Positions and static evaluations of all threads; each thread adds its counts at intervals.
    nodes: AtomicU64,
    n_evals: AtomicU64,
    stopped: AtomicBool,
    /// The depth that the main thread searches.
    depth: AtomicU32,
    searched: Arc<InProgress>,
    updates: Mutex<()>,
}

impl Coordination {
    /// The state of `n_threads` threads, at least one.
    pub(super) fn new(n_threads: u32, limits: &Limits) -> Coordination {
        let searched = if n_threads > 1 { InProgress::new() } else { InProgress::default() };
        Coordination::with_marks(n_threads, limits, Arc::new(searched))
    }

    /// The state of `n_threads` threads, at least one, with marks that outlive it; a single thread needs none.
    pub(super) fn with_marks(n_threads: u32, limits: &Limits, searched: Arc<InProgress>) -> Coordination {
        Coordination {
            n_threads: n_threads.max(1) as usize,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            max_evals: limits.playouts.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
            n_evals: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            depth: AtomicU32::new(0),
            searched,
            updates: Mutex::new(()),
        }
    }

    /// The lock for updates of the table, for searches whose threads exclude each other.
    pub(super) fn exclusive(&self) -> MutexGuard<'_, ()> {
        self.updates.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[inline(always)]
    pub(super) fn n_threads(&self) -> usize {
        self.n_threads
    }

    /// Stops all threads, within some hundred positions each.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Relaxed)
    }

    /// Sets the depth that the main thread searches.
    pub(super) fn set_depth(&self, depth: u32) {
        self.depth.store(depth, Relaxed);
    }

    /// The depth that the main thread searches.
    pub(super) fn depth(&self) -> u32 {
        self.depth.load(Relaxed)
    }

    /// Positions and static evaluations of all threads; each thread adds its counts at intervals.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.nodes.load(Relaxed), self.n_evals.load(Relaxed))
    }

    fn has_spent_all(&self) -> bool {
        let (nodes, n_evals) = self.counts();
        nodes >= self.max_nodes || n_evals >= self.max_evals
    }

    /// Whether a thread has marked this position as being searched to this depth.
    pub(super) fn is_searched(&self, key: u64, depth: u32) -> bool {
        self.searched.has(to_depth(key, depth))
    }

    /// Marks a position as being searched.
    pub(super) fn enter(&self, key: u64, depth: u32) {
        self.searched.enter(to_depth(key, depth));
    }

    /// Removes the mark.
    pub(super) fn leave(&self, key: u64, depth: u32) {
        self.searched.leave(to_depth(key, depth));
    }
}

/// A hash of key and depth: an odd multiplier spreads depths over all bits.
fn to_depth(key: u64, depth: u32) -> u64 {
    key ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Stops all threads if the thread that owns it panics, since the search has failed.
pub(super) struct StopOnPanic<'a>(pub(super) &'a Coordination);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// The stop condition of one thread: adds its counts to those of all, and stops when they do.
pub(super) struct ThreadMonitor<'a, O> {
    coordination: &'a Coordination,
    /// The stop condition besides the shared state.
    pub(super) inner: O,
    counted: (u64, u64),
    /// Positions of this thread after which it pauses.
    pub(super) pause_at: u64,
}

impl<'a, O: StopCondition> ThreadMonitor<'a, O> {
    pub(super) fn new(coordination: &'a Coordination, inner: O) -> ThreadMonitor<'a, O> {
        ThreadMonitor { coordination, inner, counted: (0, 0), pause_at: u64::MAX }
    }

    /// Adds the counts of this thread to those of all, and returns the sums.
    pub(super) fn add_counts(&mut self, nodes: u64, n_evals: u64) -> (u64, u64) {
        let (more_nodes, more_evals) = (nodes - self.counted.0, n_evals - self.counted.1);
        self.counted = (nodes, n_evals);
        (
            self.coordination.nodes.fetch_add(more_nodes, Relaxed) + more_nodes,
            self.coordination.n_evals.fetch_add(more_evals, Relaxed) + more_evals,
        )
    }
}

impl<O: StopCondition> StopCondition for ThreadMonitor<'_, O> {
    fn next_check(&mut self, nodes: u64, n_evals: u64) -> Option<u64> {
        let (all_nodes, all_evals) = self.add_counts(nodes, n_evals);
        if self.coordination.is_stopped() || nodes >= self.pause_at {
            return None;
        }
        let most = self.inner.next_check(all_nodes, all_evals)?.saturating_sub(all_nodes);
        Some(nodes + most.clamp(1, CHECK_EVERY).min(self.pause_at - nodes))
    }
}

/// A helper's stop condition: only the shared state and its limits.
pub(super) struct NoMonitor<'a>(pub(super) &'a Coordination);

impl StopCondition for NoMonitor<'_> {
    fn next_check(&mut self, nodes: u64, _n_evals: u64) -> Option<u64> {
        (!self.0.has_spent_all()).then_some(nodes + CHECK_EVERY)
    }
}
