//! Plays the pairs of a schedule on several threads, hands over the results as they come, and stops when told.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, mpsc};
use std::thread;

use banyan_core::Flow;

use crate::PairPlan;

/// Results that may wait for the sink before the workers do.
const WAITING_PER_JOB: usize = 4;

const RUNNING: u8 = 0;
const FINISHING: u8 = 1;
const ABORTING: u8 = 2;

/// How a match is told to stop; lives outside it, for example in a `static` that a signal handler sees.
#[derive(Debug, Default)]
pub struct Brake(AtomicU8);

impl Brake {
    /// Not pulled.
    pub const fn new() -> Brake {
        Brake(AtomicU8::new(RUNNING))
    }

    /// The first pull lets running pairs finish and starts no new ones; the second breaks off running games as well.
    pub fn pull(&self) {
        if self.0.compare_exchange(RUNNING, FINISHING, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            self.0.store(ABORTING, Ordering::Relaxed);
        }
    }

    /// Lets running pairs finish and starts no new ones, however often it is said.
    pub fn finish(&self) {
        self.0.fetch_max(FINISHING, Ordering::Relaxed);
    }

    /// Whether no new pairs are to be started.
    pub fn is_finishing(&self) -> bool {
        self.0.load(Ordering::Relaxed) >= FINISHING
    }

    /// Whether running games are to be broken off.
    pub fn is_aborting(&self) -> bool {
        self.0.load(Ordering::Relaxed) == ABORTING
    }
}

/// Plays `plans` on `jobs` threads, each taking the next plan when it is free, and calls `sink` on the calling thread
/// with the results in order of arrival. When the sink says `Stop`, running pairs are finished and still handed over,
/// for they have cost as much as any. `play` looks at the brake itself while it plays.
///
/// # Panics
/// When `play` panicked: after the other threads have finished their pairs and their results are handed over.
pub fn drive<T: Send>(
    plans: impl Iterator<Item = PairPlan> + Send,
    jobs: usize,
    brake: &Brake,
    play: impl Fn(&PairPlan) -> T + Sync,
    mut sink: impl FnMut(T) -> Flow,
) {
    let plans = Mutex::new(plans);
    let next = || {
        let mut plans = plans.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if brake.is_finishing() { None } else { plans.next() }
    };
    let jobs = jobs.max(1);
    thread::scope(|scope| {
        let (sender, results) = mpsc::sync_channel(jobs * WAITING_PER_JOB);
        for _ in 0..jobs {
            let (sender, next, play) = (sender.clone(), &next, &play);
            scope.spawn(move || {
                while let Some(plan) = next() {
                    let result = catch_unwind(AssertUnwindSafe(|| play(&plan)));
                    let panicked = result.is_err();
                    // Nobody listens any more when the sink panicked.
                    if sender.send(result).is_err() || panicked {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut panic = None;
        for result in results {
            match result {
                Ok(result) => {
                    if sink(result) == Flow::Stop {
                        brake.finish();
                    }
                }
                Err(payload) => {
                    brake.finish();
                    panic = Some(payload);
                }
            }
        }
        if let Some(payload) = panic {
            resume_unwind(payload);
        }
    });
}
