//! Threads that work in legs: all run until they are done or told to pause, then wait while the leader alone goes on.
//!
//! They are started with a search and end with it: a game is borrowed for one search only, so no thread may keep it for
//! longer. Starting one takes some 20 µs.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Looks that a thread takes for what it waits for before it goes to sleep: some 20 µs, in which a leg often begins or ends.
/// Guess, untuned.
const LOOKS: u32 = 1000;
/// How often the leader looks round while it waits for others.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// Threads at work, as their leader sees them.
pub(super) struct Crew {
    helpers: usize,
    orders: Mutex<Orders>,
    /// A leg begins, or all is over.
    begun: Condvar,
    /// The last helper has ended its leg.
    ended: Condvar,
    paused: AtomicBool,
    /// The leg, and the helpers at work in it, for who looks without a lock.
    leg: AtomicU64,
    working: AtomicUsize,
}

struct Orders {
    leg: u64,
    /// Helpers still at work.
    working: usize,
    over: bool,
    panic: Option<Box<dyn Any + Send>>,
}

impl Crew {
    /// Has the calling thread `lead` so many helpers, each of which does its `work` in every leg: the first helper that of
    /// number 1. A panic of a helper becomes one of the leader once all have stopped.
    pub(super) fn with<R>(helpers: usize, work: &(dyn Fn(usize, &Crew) + Sync), lead: impl FnOnce(&Crew) -> R) -> R {
        let orders = Mutex::new(Orders { leg: 0, working: 0, over: false, panic: None });
        let paused = AtomicBool::new(false);
        let (leg, working) = (AtomicU64::new(0), AtomicUsize::new(0));
        let crew = Crew { helpers, orders, begun: Condvar::new(), ended: Condvar::new(), paused, leg, working };
        thread::scope(|scope| {
            // Helpers go home even if the leader panics.
            let _dismissal = Dismissal(&crew);
            for number in 1..=helpers {
                let crew = &crew;
                scope.spawn(move || crew.serve(number, work));
            }
            lead(&crew)
        })
    }

    /// One leg: everybody works, the leader at `own`. There and while it waits for others, `is_due` says whether to pause.
    pub(super) fn leg(&self, own: impl FnOnce(&mut dyn FnMut() -> bool), is_due: &mut dyn FnMut() -> bool) {
        self.paused.store(false, Ordering::Relaxed);
        {
            let mut orders = self.orders();
            orders.leg += 1;
            orders.working = self.helpers;
            self.working.store(self.helpers, Ordering::Relaxed);
            self.leg.store(orders.leg, Ordering::Release);
        }
        self.begun.notify_all();
        own(is_due);
        look_for(|| self.working.load(Ordering::Acquire) == 0);
        let mut orders = self.orders();
        while orders.working > 0 {
            let waited = self.ended.wait_timeout(orders, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner);
            drop(waited);
            if is_due() {
                self.pause();
            }
            orders = self.orders();
        }
        if let Some(panic) = orders.panic.take() {
            drop(orders);
            resume_unwind(panic);
        }
    }

    /// Asks everybody to end the leg soon.
    pub(super) fn pause(&self) {
        self.paused.store(true, Ordering::Relaxed);
    }

    /// Whether the leg is to end.
    pub(super) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }

    fn orders(&self) -> MutexGuard<'_, Orders> {
        self.orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a helper does until all is over.
    fn serve(&self, number: usize, work: &(dyn Fn(usize, &Crew) + Sync)) {
        let mut done = 0;
        loop {
            look_for(|| self.leg.load(Ordering::Acquire) != done);
            let mut orders = self.orders();
            while !orders.over && orders.leg == done {
                orders = self.begun.wait(orders).unwrap_or_else(PoisonError::into_inner);
            }
            if orders.over {
                return;
            }
            done = orders.leg;
            drop(orders);
            let outcome = catch_unwind(AssertUnwindSafe(|| work(number, self)));
            let mut orders = self.orders();
            if let Err(panic) = outcome {
                orders.panic.get_or_insert(panic);
                self.pause();
            }
            orders.working -= 1;
            self.working.store(orders.working, Ordering::Release);
            if orders.working == 0 {
                self.ended.notify_one();
            }
        }
    }
}

/// Waits a little for what is soon to come.
fn look_for(is_there: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        if is_there() {
            return;
        }
        std::hint::spin_loop();
    }
}

/// Sends everybody home when it is dropped.
struct Dismissal<'a>(&'a Crew);

impl Drop for Dismissal<'_> {
    fn drop(&mut self) {
        self.0.pause();
        self.0.orders().over = true;
        self.0.leg.store(u64::MAX, Ordering::Release);
        self.0.begun.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn everybody_works_once_in_every_leg() {
        let (helped, led) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |number: usize, _: &Crew| {
            helped.fetch_add(number, Ordering::Relaxed);
        };
        Crew::with(3, &work, |crew| {
            for leg in 1..=50 {
                crew.leg(|_| _ = led.fetch_add(1, Ordering::Relaxed), &mut || false);
                assert_eq!((helped.load(Ordering::Relaxed), led.load(Ordering::Relaxed)), (6 * leg, leg));
            }
        });
    }

    #[test]
    fn a_pause_ends_the_leg_of_those_who_ask() {
        let work = |_: usize, crew: &Crew| {
            while !crew.is_paused() {
                thread::yield_now();
            }
        };
        let mut asked = 0;
        Crew::with(2, &work, |crew| {
            for _ in 0..3 {
                crew.leg(|_| {}, &mut || true);
                asked += 1;
            }
        });
        assert_eq!(asked, 3);
    }

    #[test]
    fn a_panic_of_anybody_ends_all_and_is_told() {
        let untiring = |crew: &Crew| {
            while !crew.is_paused() {
                thread::yield_now();
            }
        };
        for who in 0..3 {
            let work = |number: usize, crew: &Crew| if number == who { panic!("of {number}") } else { untiring(crew) };
            let run = || Crew::with(2, &work, |crew| crew.leg(|_| work(0, crew), &mut || false));
            let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("somebody panics");
            assert_eq!(panic.downcast_ref::<String>(), Some(&format!("of {who}")));
        }
    }
}
