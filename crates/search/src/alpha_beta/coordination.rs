//! Parallel alpha-beta search of one position by a main thread and its helpers.
//!
//! All threads share one table. A thread defers moves that another one is searching (after Kerrigan's simplification of
//! ABDADA: Weill 1996, The ABDADA Distributed Minimax Search Algorithm); when it returns to them, the table mostly has
//! their values.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use banyan_core::Limits;

use super::stop_condition::StopCondition;

/// Positions after which the main thread starts helpers: a shorter search, of some tenths of a millisecond, ends before
/// a thread has started. Guess, untuned.
pub(super) const HELP_FROM: u64 = 4_000;
/// Positions between two checks of the shared state.
const CHECK_EVERY: u64 = 256;
/// Size of the table of positions being searched: 32 KiB.
const MARKS: usize = 1 << 12;

/// Positions being searched: a hash of key and depth, 0 for none. Overwriting one only costs time.
pub(super) type Marks = Arc<[AtomicU64]>;

/// Marks of no position.
pub(super) fn marks() -> Marks {
    (0..MARKS).map(|_| AtomicU64::new(0)).collect()
}

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
    marks: Marks,
    updates: Mutex<()>,
}

impl Coordination {
    /// The state of `n_threads` threads, at least one.
    pub(super) fn new(n_threads: u32, limits: &Limits) -> Coordination {
        Coordination::with_marks(n_threads, limits, if n_threads > 1 { marks() } else { Arc::default() })
    }

    /// The state of `n_threads` threads, at least one, with marks that outlive it; a single thread needs none.
    pub(super) fn with_marks(n_threads: u32, limits: &Limits, marks: Marks) -> Coordination {
        Coordination {
            n_threads: n_threads.max(1) as usize,
            max_nodes: limits.nodes.unwrap_or(u64::MAX),
            max_evals: limits.playouts.unwrap_or(u64::MAX),
            nodes: AtomicU64::new(0),
            n_evals: AtomicU64::new(0),
            stopped: AtomicBool::new(false),
            depth: AtomicU32::new(0),
            marks,
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

    fn mark(&self, key: u64, depth: u32) -> (&AtomicU64, u64) {
        // An odd multiplier spreads depths over all bits; the lowest is set so that no hash is 0.
        let hash = (key ^ u64::from(depth).wrapping_mul(0x9E37_79B9_7F4A_7C15)) | 1;
        (&self.marks[(hash >> 1) as usize % MARKS], hash)
    }

    /// Whether a thread has marked this position as being searched to this depth.
    pub(super) fn is_searched(&self, key: u64, depth: u32) -> bool {
        let (mark, hash) = self.mark(key, depth);
        mark.load(Relaxed) == hash
    }

    /// Marks a position as being searched.
    pub(super) fn enter(&self, key: u64, depth: u32) {
        let (mark, hash) = self.mark(key, depth);
        mark.store(hash, Relaxed);
    }

    /// Removes the mark.
    pub(super) fn leave(&self, key: u64, depth: u32) {
        let (mark, hash) = self.mark(key, depth);
        if mark.load(Relaxed) == hash {
            mark.store(0, Relaxed);
        }
    }
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
