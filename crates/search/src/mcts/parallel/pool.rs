//! A thread pool that works in phases: all threads run until they are done or paused, then wait while the coordinator
//! continues alone.
//!
//! Threads live for one search, because a game is borrowed for one search only. Starting one takes some 20 µs.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use banyan_core::threads::spawn_scoped;

/// Spins of a waiting thread before it sleeps: some 20 µs, in which a phase often begins or ends. Guess, untuned.
const SPINS: u32 = 1000;
/// Interval at which a waiting coordinator checks for a pause.
const CHECK_EVERY: Duration = Duration::from_millis(1);

/// The thread pool, as used by its coordinator.
pub(super) struct Pool {
    /// Running helpers: fewer than requested if the system refused threads.
    helpers: AtomicUsize,
    state: Mutex<State>,
    /// Signalled when a phase begins, or at the end.
    begun: Condvar,
    /// Signalled when the last helper has ended its phase.
    ended: Condvar,
    paused: AtomicBool,
    /// The phase and the number of working helpers, for reads without a lock.
    phase: AtomicU64,
    working: AtomicUsize,
}

struct State {
    phase: u64,
    /// Helpers still at work.
    working: usize,
    over: bool,
    panic: Option<Box<dyn Any + Send>>,
}

impl Pool {
    /// Runs the calling thread as coordinator of at most `helpers` helpers, each of which does its `work` in every phase; helpers
    /// are numbered from 1. If the system refuses threads there are fewer ([`helpers`](Pool::helpers)). A panic of a helper becomes
    /// one of the coordinator once all have stopped. Nothing here is generic, so that it is compiled once and not for every game.
    pub(super) fn with(helpers: usize, work: &(dyn Fn(usize, &Pool) + Sync), coordinate: &mut dyn FnMut(&Pool)) {
        let state = Mutex::new(State { phase: 0, working: 0, over: false, panic: None });
        let paused = AtomicBool::new(false);
        let (phase, working) = (AtomicU64::new(0), AtomicUsize::new(0));
        let pool = Pool {
            helpers: AtomicUsize::new(0),
            state,
            begun: Condvar::new(),
            ended: Condvar::new(),
            paused,
            phase,
            working,
        };
        thread::scope(|scope| {
            // Helpers end even if the coordinator panics.
            let _end_all = EndAll(&pool);
            pool.spawn_helpers(helpers, scope, work);
            coordinate(&pool);
        });
    }

    fn spawn_helpers<'scope>(
        &'scope self,
        helpers: usize,
        scope: &'scope Scope<'scope, '_>,
        work: &'scope (dyn Fn(usize, &Pool) + Sync),
    ) {
        let start = |number: &usize| {
            let number = *number;
            spawn_scoped(scope, move || self.run_helper(number, work)).is_some()
        };
        self.helpers.store((1..=helpers).take_while(start).count(), Ordering::Relaxed);
    }

    /// The number of running helpers, which are numbered from 1.
    pub(super) fn helpers(&self) -> usize {
        self.helpers.load(Ordering::Relaxed)
    }

    /// Runs one phase: the coordinator does `own`, every helper its work. `is_due` is called there, and while the
    /// coordinator waits, and returns whether to pause.
    pub(super) fn phase(&self, own: &mut dyn FnMut(&mut dyn FnMut() -> bool), is_due: &mut dyn FnMut() -> bool) {
        self.paused.store(false, Ordering::Relaxed);
        {
            let mut state = self.state();
            state.phase += 1;
            state.working = self.helpers();
            self.working.store(state.working, Ordering::Relaxed);
            self.phase.store(state.phase, Ordering::Release);
        }
        self.begun.notify_all();
        own(is_due);
        spin_until(|| self.working.load(Ordering::Acquire) == 0);
        let mut state = self.state();
        while state.working > 0 {
            let waited = self.ended.wait_timeout(state, CHECK_EVERY).unwrap_or_else(PoisonError::into_inner);
            drop(waited);
            if is_due() {
                self.pause();
            }
            state = self.state();
        }
        if let Some(panic) = state.panic.take() {
            drop(state);
            resume_unwind(panic);
        }
    }

    /// Requests all threads to end the phase soon.
    pub(super) fn pause(&self) {
        self.paused.store(true, Ordering::Relaxed);
    }

    /// Whether the phase should end.
    pub(super) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The loop of a helper until the end.
    fn run_helper(&self, number: usize, work: &(dyn Fn(usize, &Pool) + Sync)) {
        let mut done = 0;
        loop {
            spin_until(|| self.phase.load(Ordering::Acquire) != done);
            let mut state = self.state();
            while !state.over && state.phase == done {
                state = self.begun.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.over {
                return;
            }
            done = state.phase;
            drop(state);
            let outcome = catch_unwind(AssertUnwindSafe(|| work(number, self)));
            let mut state = self.state();
            if let Err(panic) = outcome {
                state.panic.get_or_insert(panic);
                self.pause();
            }
            state.working -= 1;
            self.working.store(state.working, Ordering::Release);
            if state.working == 0 {
                self.ended.notify_one();
            }
        }
    }
}

/// Spins for a while, until `is_done`.
fn spin_until(is_done: impl Fn() -> bool) {
    for _ in 0..SPINS {
        if is_done() {
            return;
        }
        std::hint::spin_loop();
    }
}

/// Ends all helpers when it is dropped.
struct EndAll<'a>(&'a Pool);

impl Drop for EndAll<'_> {
    fn drop(&mut self) {
        self.0.pause();
        self.0.state().over = true;
        self.0.phase.store(u64::MAX, Ordering::Release);
        self.0.begun.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use banyan_core::threads::with_at_most;

    use super::*;

    #[test]
    fn every_thread_works_once_in_every_phase() {
        let (helped, led) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |number: usize, _: &Pool| {
            helped.fetch_add(number, Ordering::Relaxed);
        };
        Pool::with(3, &work, &mut |pool| {
            for phase in 1..=50 {
                pool.phase(&mut |_| _ = led.fetch_add(1, Ordering::Relaxed), &mut || false);
                assert_eq!((helped.load(Ordering::Relaxed), led.load(Ordering::Relaxed)), (6 * phase, phase));
            }
        });
    }

    #[test]
    fn refused_helpers_are_not_waited_for() {
        for allowed in 0..=4 {
            let helped = AtomicUsize::new(0);
            let work = |number: usize, _: &Pool| _ = helped.fetch_add(number, Ordering::Relaxed);
            let mut coordinate = |pool: &Pool| {
                assert_eq!(pool.helpers(), allowed.min(3));
                pool.phase(&mut |_| {}, &mut || false);
            };
            with_at_most(allowed, || Pool::with(3, &work, &mut coordinate));
            assert_eq!(helped.into_inner(), [0, 1, 3, 6, 6][allowed]);
        }
    }

    #[test]
    fn a_pause_ends_the_phase_of_threads_that_check_for_it() {
        let work = |_: usize, pool: &Pool| {
            while !pool.is_paused() {
                thread::yield_now();
            }
        };
        let mut calls = 0;
        Pool::with(2, &work, &mut |pool| {
            for _ in 0..3 {
                pool.phase(&mut |_| {}, &mut || true);
                calls += 1;
            }
        });
        assert_eq!(calls, 3);
    }

    #[test]
    fn a_panic_of_any_thread_ends_all_and_is_propagated() {
        let work_until_paused = |pool: &Pool| {
            while !pool.is_paused() {
                thread::yield_now();
            }
        };
        for who in 0..3 {
            let work = |number: usize, pool: &Pool| {
                if number == who { panic!("of {number}") } else { work_until_paused(pool) }
            };
            let run = || Pool::with(2, &work, &mut |pool| pool.phase(&mut |_| work(0, pool), &mut || false));
            let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("a thread panics");
            assert_eq!(panic.downcast_ref::<String>(), Some(&format!("of {who}")));
        }
    }
}
