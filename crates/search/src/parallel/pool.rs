//! Threads that work in phases: all run until they are done or told to pause, then wait while the coordinator alone goes on.
//!
//! They are started with a search and end with it: a game is borrowed for one search only, so no thread may keep it for
//! longer. Starting one takes some 20 µs.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Looks that a thread takes for what it waits for before it goes to sleep: some 20 µs, in which a phase often begins or ends.
/// Guess, untuned.
const SPINS: u32 = 1000;
/// How often the coordinator looks round while it waits for others.
const CHECK_EVERY: Duration = Duration::from_millis(1);

/// Threads at work, as their coordinator sees them.
pub(super) struct Pool {
    helpers: usize,
    state: Mutex<State>,
    /// A phase begins, or all is over.
    begun: Condvar,
    /// The last helper has ended its phase.
    ended: Condvar,
    paused: AtomicBool,
    /// The phase, and the helpers at work in it, for who looks without a lock.
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
    /// Has the calling thread coordinate so many helpers, each of which does its `work` in every phase: the first helper that of
    /// number 1. A panic of a helper becomes one of the coordinator once all have stopped.
    pub(super) fn with<R>(
        helpers: usize,
        work: &(dyn Fn(usize, &Pool) + Sync),
        coordinate: impl FnOnce(&Pool) -> R,
    ) -> R {
        let state = Mutex::new(State { phase: 0, working: 0, over: false, panic: None });
        let paused = AtomicBool::new(false);
        let (phase, working) = (AtomicU64::new(0), AtomicUsize::new(0));
        let pool = Pool { helpers, state, begun: Condvar::new(), ended: Condvar::new(), paused, phase, working };
        thread::scope(|scope| {
            // Helpers end even if the coordinator panics.
            let _end_all = EndAll(&pool);
            for number in 1..=helpers {
                let pool = &pool;
                scope.spawn(move || pool.run_helper(number, work));
            }
            coordinate(&pool)
        })
    }

    /// One phase: everybody works, the coordinator at `own`. There and while it waits for others, `is_due` says whether to pause.
    pub(super) fn phase(&self, own: impl FnOnce(&mut dyn FnMut() -> bool), is_due: &mut dyn FnMut() -> bool) {
        self.paused.store(false, Ordering::Relaxed);
        {
            let mut state = self.state();
            state.phase += 1;
            state.working = self.helpers;
            self.working.store(self.helpers, Ordering::Relaxed);
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

    /// Asks everybody to end the phase soon.
    pub(super) fn pause(&self) {
        self.paused.store(true, Ordering::Relaxed);
    }

    /// Whether the phase is to end.
    pub(super) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a helper does until all is over.
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

/// Waits a little for what is soon to come.
fn spin_until(is_done: impl Fn() -> bool) {
    for _ in 0..SPINS {
        if is_done() {
            return;
        }
        std::hint::spin_loop();
    }
}

/// Sends everybody home when it is dropped.
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

    use super::*;

    #[test]
    fn everybody_works_once_in_every_phase() {
        let (helped, led) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |number: usize, _: &Pool| {
            helped.fetch_add(number, Ordering::Relaxed);
        };
        Pool::with(3, &work, |pool| {
            for phase in 1..=50 {
                pool.phase(|_| _ = led.fetch_add(1, Ordering::Relaxed), &mut || false);
                assert_eq!((helped.load(Ordering::Relaxed), led.load(Ordering::Relaxed)), (6 * phase, phase));
            }
        });
    }

    #[test]
    fn a_pause_ends_the_phase_of_those_who_ask() {
        let work = |_: usize, pool: &Pool| {
            while !pool.is_paused() {
                thread::yield_now();
            }
        };
        let mut asked = 0;
        Pool::with(2, &work, |pool| {
            for _ in 0..3 {
                pool.phase(|_| {}, &mut || true);
                asked += 1;
            }
        });
        assert_eq!(asked, 3);
    }

    #[test]
    fn a_panic_of_anybody_ends_all_and_is_told() {
        let work_until_paused = |pool: &Pool| {
            while !pool.is_paused() {
                thread::yield_now();
            }
        };
        for who in 0..3 {
            let work = |number: usize, pool: &Pool| {
                if number == who { panic!("of {number}") } else { work_until_paused(pool) }
            };
            let run = || Pool::with(2, &work, |pool| pool.phase(|_| work(0, pool), &mut || false));
            let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("somebody panics");
            assert_eq!(panic.downcast_ref::<String>(), Some(&format!("of {who}")));
        }
    }
}
