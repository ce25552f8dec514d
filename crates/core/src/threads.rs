//! Threads that the system may refuse to start, at a limit of the user or for want of memory, and their CPU time.

use std::cell::{Cell, RefCell};
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};
use std::time::Duration;

use crate::Timer;

thread_local! {
    /// The meter of the code that runs on this thread.
    static METER: RefCell<Option<Arc<Meter>>> = const { RefCell::new(None) };
    /// Threads that this one may still start.
    static LEFT: Cell<usize> = const { Cell::new(usize::MAX) };
}

/// Receives the first refusal of the program.
static REPORT: OnceLock<fn(&io::Error)> = OnceLock::new();

/// Starts a thread in `scope`. `None` if the system refuses: the caller continues with fewer threads. Then `work` is dropped on the
/// calling thread.
pub fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    let work = measured(work);
    may_start().and_then(|()| Builder::new().spawn_scoped(scope, work)).inspect_err(report).ok()
}

/// Starts a thread that ends by itself, for callers that cannot do without it.
///
/// # Errors
/// The system refuses.
pub fn spawn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> io::Result<JoinHandle<T>> {
    may_start().and_then(|()| Builder::new().spawn(work))
}

/// Has `report` called when the system refuses a thread of [`spawn_scoped`], once in the life of the program: all later refusals
/// have the same cause. Only the first call of this function counts.
pub fn on_refusal(report: fn(&io::Error)) {
    // A second call has no effect.
    let _ = REPORT.set(report);
}

fn report(err: &io::Error) {
    static REPORTED: AtomicBool = AtomicBool::new(false);
    if let Some(report) = REPORT.get().filter(|_| !REPORTED.swap(true, Relaxed)) {
        report(err);
    }
}

/// Runs `work`, in which the calling thread is refused all threads after the first `n`. For tests of what happens then.
#[doc(hidden)]
pub fn with_at_most<T>(n: usize, work: impl FnOnce() -> T) -> T {
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            LEFT.set(self.0);
        }
    }
    let _restore = Restore(LEFT.replace(n));
    work()
}

fn may_start() -> io::Result<()> {
    let left = LEFT.get();
    if left == 0 {
        return Err(io::ErrorKind::WouldBlock.into());
    }
    LEFT.set(left - usize::from(left < usize::MAX));
    Ok(())
}

/// Runs `work`, and returns with its result the time by `timer`, one of a thread's CPU time, that it took on this thread and on
/// those that it started with [`spawn_scoped`] and that have ended.
pub fn metered<T>(timer: Timer, work: impl FnOnce() -> T) -> (T, Duration) {
    let meter = Arc::new(Meter { timer, nanoseconds: AtomicU64::new(0) });
    let result = {
        let _running = Running::begin(Arc::clone(&meter));
        work()
    };
    (result, Duration::from_nanos(meter.nanoseconds.load(Relaxed)))
}

/// This work, which also adds its time to the meter of the calling thread.
fn measured<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let meter = METER.with_borrow(Option::clone);
    || {
        let _running = meter.map(Running::begin);
        work()
    }
}

/// Time of several threads.
struct Meter {
    timer: Timer,
    nanoseconds: AtomicU64,
}

/// Adds the time of a thread to a meter when it is dropped, also during a panic.
struct Running {
    meter: Arc<Meter>,
    started: Duration,
    outer: Option<Arc<Meter>>,
}

impl Running {
    fn begin(meter: Arc<Meter>) -> Running {
        let outer = METER.replace(Some(Arc::clone(&meter)));
        Running { started: meter.timer.now(), meter, outer }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let nanoseconds = self.meter.timer.since(self.started).as_nanos() as u64;
        self.meter.nanoseconds.fetch_add(nanoseconds, Relaxed);
        METER.set(self.outer.take());
    }
}

#[cfg(test)]
mod tests {
    use std::thread::scope;

    use super::*;

    thread_local!(static NOW: Cell<u64> = const { Cell::new(0) });
    /// A timer for each thread.
    const FAKE: Timer = Timer::new("fake", || Duration::from_secs(NOW.get()));

    fn pass(seconds: u64) {
        NOW.set(NOW.get() + seconds);
    }

    #[test]
    fn refused_threads_do_not_run() {
        let started = |most: usize| {
            let run = || scope(|scope| (0..3).filter(|_| spawn_scoped(scope, || {}).is_some()).count());
            with_at_most(most, run)
        };
        assert_eq!([started(0), started(2), started(9)], [0, 2, 3]);
        let refused = with_at_most(0, || spawn(|| {})).expect_err("it is refused");
        assert_eq!(refused.kind(), io::ErrorKind::WouldBlock);
        assert_eq!(spawn(|| 7).expect("it is allowed again").join().ok(), Some(7));
    }

    #[test]
    fn the_time_of_all_threads_is_measured() {
        let work = || {
            pass(1);
            scope(|scope| {
                spawn_scoped(scope, || pass(10));
                spawn_scoped(scope, || {
                    pass(100);
                    std::thread::scope(|scope| drop(spawn_scoped(scope, || pass(1000))));
                });
            });
            "done"
        };
        assert_eq!(metered(FAKE, work), ("done", Duration::from_secs(1111)));
        let (inner, outer) = metered(FAKE, || {
            pass(2);
            metered(FAKE, || pass(3)).1
        });
        assert_eq!([inner, outer], [3, 5].map(Duration::from_secs));
        // Not measured, and not counted afterwards.
        scope(|scope| drop(spawn_scoped(scope, || pass(7))));
    }

    #[test]
    fn the_time_of_a_panic_is_measured() {
        let work = || std::panic::catch_unwind(|| metered(FAKE, || panic!("as meant"))).is_err();
        let (panicked, time) = metered(FAKE, || {
            pass(4);
            work()
        });
        assert_eq!((panicked, time), (true, Duration::from_secs(4)));
    }
}
