//! Work that was asked for and has an id: it begins when its events are read, and is known a while after its end.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::events::{Stop, Work};
use crate::refusal::{Code, Refusal};

/// Jobs that are known at a time.
const MOST: usize = 64;
/// Time in which the events of a job must be asked for.
const PATIENCE: Duration = Duration::from_secs(30);

/// A job of the kind `T`.
pub(crate) struct Job<T> {
    pub(crate) id: String,
    asked: Instant,
    work: Mutex<Option<Work>>,
    pub(crate) stop: Stop,
    /// What else can be asked about it.
    pub(crate) about: T,
}

impl<T> Job<T> {
    /// The work, for the one who asks first.
    pub(crate) fn begin(&self) -> Result<Work, Refusal> {
        lock(&self.work)
            .take()
            .ok_or_else(|| Refusal::new(Code::Begun, &self.id, "expected work that has not begun", "ask for it again"))
    }

    fn is_over(&self) -> bool {
        match lock(&self.work).is_some() {
            true => self.asked.elapsed() > PATIENCE,
            false => self.stop.is_set(),
        }
    }
}

/// The jobs of one kind, the oldest first.
pub(crate) struct Jobs<T>(Mutex<VecDeque<Arc<Job<T>>>>);

impl<T> Default for Jobs<T> {
    fn default() -> Jobs<T> {
        Jobs(Mutex::new(VecDeque::new()))
    }
}

impl<T> Jobs<T> {
    /// Adds a job, in place of the oldest one that is over if there are many.
    pub(crate) fn add(&self, work: Work, stop: Stop, about: T) -> Result<String, Refusal> {
        let mut jobs = lock(&self.0);
        if jobs.len() >= MOST {
            let over = jobs.iter().position(|job| job.is_over());
            jobs.remove(over.unwrap_or(MOST)).ok_or_else(|| {
                let found = format!("{MOST} jobs that wait or run");
                Refusal::new(Code::ManyJobs, &found, "expected fewer", "try again when others have left")
            })?;
        }
        let id = random_id();
        let work = Mutex::new(Some(work));
        jobs.push_back(Arc::new(Job { id: id.clone(), asked: Instant::now(), work, stop, about }));
        Ok(id)
    }

    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job<T>>, Refusal> {
        let jobs = lock(&self.0);
        jobs.iter().find(|job| job.id == id).cloned().ok_or_else(|| Refusal::not_found(&format!("job {id:?}")))
    }
}

/// An id that nobody can guess.
fn random_id() -> String {
    let part = || getrandom::u64().expect("the system has random numbers");
    format!("{:016x}{:016x}", part(), part())
}

/// The value of a lock; what a panic left is as good as any, for every value is replaced as a whole.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
