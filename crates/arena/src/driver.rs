//! Does work on several threads, such as playing the pairs of a schedule, and delivers the results in order of arrival until it is
//! stopped.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;

use banyan_core::Flow;
use banyan_core::threads::spawn_scoped;

/// Results buffered per job before the workers block.
const WAITING_PER_JOB: usize = 4;

const RUNNING: u8 = 0;
const FINISHING: u8 = 1;
const ABORTING: u8 = 2;

/// A request to stop a match. It is owned by the caller, for example as a `static` for a signal handler.
#[derive(Debug, Default)]
pub struct StopSignal(AtomicU8);

impl StopSignal {
    /// No request yet.
    pub const fn new() -> StopSignal {
        StopSignal(AtomicU8::new(RUNNING))
    }

    /// The first request lets running pairs finish and starts no new ones; the second also interrupts running games.
    pub fn request(&self) {
        if self.0.compare_exchange(RUNNING, FINISHING, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            self.0.store(ABORTING, Ordering::Relaxed);
        }
    }

    /// Lets running pairs finish and starts no new ones, also when called repeatedly.
    pub fn finish(&self) {
        self.0.fetch_max(FINISHING, Ordering::Relaxed);
    }

    /// Interrupts running games, and starts no new pairs.
    pub fn abort(&self) {
        self.0.store(ABORTING, Ordering::Relaxed);
    }

    /// Whether no new pairs may be started.
    pub fn is_finishing(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= FINISHING
    }

    /// Whether running games must be interrupted.
    pub fn is_aborting(&self) -> bool {
        self.0.load(Ordering::Relaxed) == ABORTING
    }
}

/// Calls `play` with each of `plans`, such as the pairs of a match, on `jobs` threads, each taking the next plan when it is free, and
/// calls `sink` on the calling thread with the results in order of arrival. When the sink returns `Stop`, running plans are finished
/// and still delivered. `play` checks `stop_signal` itself while it plays. If the system refuses threads there are fewer; without any, the
/// calling thread plays itself.
///
/// # Panics
/// If `play` panics, after the other threads have finished their plans and their results are delivered.
pub fn drive<P, T: Send>(
    plans: impl Iterator<Item = P> + Send,
    jobs: usize,
    stop_signal: &StopSignal,
    play: impl Fn(&P) -> T + Sync,
    mut sink: impl FnMut(T) -> Flow,
) {
    let plans = Mutex::new(plans);
    let next = || {
        let mut plans = plans.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if stop_signal.is_finishing() { None } else { plans.next() }
    };
    let shielded = |plan: &P| catch_unwind(AssertUnwindSafe(|| play(plan)));
    let jobs = jobs.max(1);
    thread::scope(|scope| {
        let (sender, results) = mpsc::sync_channel(jobs * WAITING_PER_JOB);
        let start = |_: &usize| {
            let (sender, next, shielded) = (sender.clone(), &next, &shielded);
            let work = move || {
                while let Some(plan) = next() {
                    let result = shielded(&plan);
                    let panicked = result.is_err();
                    // The receiver is gone if the sink panicked.
                    if sender.send(result).is_err() || panicked {
                        break;
                    }
                }
            };
            spawn_scoped(scope, work).is_some()
        };
        let n_threads = (0..jobs).take_while(start).count();
        drop(sender);
        let mut panic = None;
        let mut deliver = |result: thread::Result<T>| match result {
            Ok(result) => {
                if sink(result) == Flow::Stop {
                    stop_signal.finish();
                }
            }
            Err(payload) => {
                stop_signal.finish();
                panic = Some(payload);
            }
        };
        if n_threads == 0 {
            while let Some(plan) = next() {
                deliver(shielded(&plan));
            }
        }
        results.into_iter().for_each(&mut deliver);
        if let Some(payload) = panic {
            resume_unwind(payload);
        }
    });
}
