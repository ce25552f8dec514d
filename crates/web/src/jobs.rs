//! Jobs: requested work with an id, which begins when its events are read. A finished job stays known for a while.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use banyan_api::{Code, Refusal};

use crate::clients::Client;
use crate::events::{Stop, Work};
use crate::lock::lock;

/// Expected duration of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pace {
    /// A few milliseconds, such as the move of a level: it never waits for a long search.
    Quick,
    Long,
}

/// Maximum number of jobs of a client whose events were not requested yet. A further one replaces the oldest.
const MOST_OF_CLIENT: usize = 64;
/// Maximum number of such jobs of all clients. A further one replaces the oldest of the client with the most.
const MOST: usize = 512;
/// Maximum number of finished jobs that are still known.
const MOST_OVER: usize = 64;
/// Time within which the events of a job must be requested.
const PATIENCE: Duration = Duration::from_secs(30);

/// A job of the kind `T`.
pub(crate) struct Job<T> {
    pub(crate) id: String,
    client: Client,
    asked: Instant,
    work: Mutex<Option<(Work, Pace)>>,
    pub(crate) stop: Stop,
    /// Data for further requests about the job.
    pub(crate) about: T,
}

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Its events were not requested yet.
    Waits,
    Runs,
    Over,
}

impl<T> Job<T> {
    /// The work, for the first request.
    pub(crate) fn begin(&self) -> Result<(Work, Pace), Refusal> {
        lock(&self.work)
            .take()
            .ok_or_else(|| Refusal::new(Code::Begun, &self.id, "expected work that has not begun", "ask for it again"))
    }

    fn phase(&self) -> Phase {
        match lock(&self.work).is_some() {
            true if self.asked.elapsed() <= PATIENCE => Phase::Waits,
            false if !self.stop.is_set() => Phase::Runs,
            _ => Phase::Over,
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
    /// Adds a job. A running job is never dropped: the numbers of searches and connections are limited.
    pub(crate) fn add(&self, client: Client, work: (Work, Pace), stop: Stop, about: T) -> String {
        let id = random_id();
        let job = Job { id: id.clone(), client, asked: Instant::now(), work: Mutex::new(Some(work)), stop, about };
        let mut jobs = lock(&self.0);
        let dropped = make_room(&mut jobs, client);
        jobs.push_back(Arc::new(job));
        drop(jobs);
        drop(dropped);
        id
    }

    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job<T>>, Refusal> {
        let jobs = lock(&self.0);
        jobs.iter().find(|job| job.id == id).cloned().ok_or_else(|| Refusal::not_found(&format!("job {id:?}")))
    }
}

/// Removes the jobs that a new one of this client replaces.
fn make_room<T>(jobs: &mut VecDeque<Arc<Job<T>>>, client: Client) -> Vec<Arc<Job<T>>> {
    let phases: Vec<(Client, Phase)> = jobs.iter().map(|job| (job.client, job.phase())).collect();
    let waits = |&(_, phase): &(Client, Phase)| phase == Phase::Waits;
    let mut waiting: HashMap<Client, usize> = HashMap::new();
    for (client, _) in phases.iter().copied().filter(waits) {
        *waiting.entry(client).or_default() += 1;
    }
    let crowded = match waiting.values().sum::<usize>() {
        _ if waiting.get(&client).is_some_and(|&n| n >= MOST_OF_CLIENT) => Some(client),
        n if n >= MOST => waiting.iter().max_by_key(|&(_, &n)| n).map(|(&client, _)| client),
        _ => None,
    };
    let oldest = crowded.and_then(|client| phases.iter().position(|found| waits(found) && found.0 == client));
    let is_over = |&(_, phase): &(Client, Phase)| phase == Phase::Over;
    let n_over = phases.iter().filter(|found| is_over(found)).count();
    let over = phases.iter().position(is_over).filter(|_| n_over > MOST_OVER);
    // The later one first, so that the index of the earlier one stays valid.
    let (first, second) = if oldest > over { (oldest, over) } else { (over, oldest) };
    [first, second].into_iter().flatten().filter_map(|at| jobs.remove(at)).collect()
}

/// An unguessable id.
fn random_id() -> String {
    let part = || getrandom::u64().expect("the system has random numbers");
    format!("{:016x}{:016x}", part(), part())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(n: usize) -> Client {
        Client::of(([10, 0, 0, n as u8], 1).into())
    }

    fn add(jobs: &Jobs<()>, n: usize) -> String {
        jobs.add(client(n), (Box::new(|_| Err(Refusal::internal())), Pace::Long), Stop::default(), ())
    }

    #[test]
    fn jobs_that_nobody_reads_make_room_for_others() {
        let jobs = Jobs::default();
        let mine = add(&jobs, 1);
        let others: Vec<String> = (0..MOST_OF_CLIENT + 3).map(|_| add(&jobs, 2)).collect();
        assert!(jobs.get(&mine).is_ok(), "another client has its own");
        let known: Vec<bool> = others.iter().map(|id| jobs.get(id).is_ok()).collect();
        assert_eq!(known, [vec![false; 3], vec![true; MOST_OF_CLIENT]].concat());
        // Many clients together.
        (3..15).for_each(|n| (0..MOST_OF_CLIENT).for_each(|_| drop(add(&jobs, n))));
        assert!(lock(&jobs.0).len() <= MOST, "{}", lock(&jobs.0).len());
        assert!(jobs.get(&mine).is_ok() && jobs.get(&add(&jobs, 1)).is_ok());
    }

    #[test]
    fn what_runs_stays_and_what_is_over_is_forgotten() {
        let jobs = Jobs::default();
        let begin = |_| {
            let job = jobs.get(&add(&jobs, 1)).expect("a job");
            assert!(job.begin().is_ok() && job.begin().is_err());
            job
        };
        let begun: Vec<_> = (0..2 * MOST_OVER).map(begin).collect();
        (0..2 * MOST_OF_CLIENT).for_each(|_| drop(add(&jobs, 1)));
        assert!(begun.iter().all(|job| jobs.get(&job.id).is_ok()), "they run");
        begun.iter().for_each(|job| job.stop.set());
        (0..2 * MOST_OF_CLIENT).for_each(|_| drop(add(&jobs, 1)));
        assert!(lock(&jobs.0).len() <= MOST_OF_CLIENT + MOST_OVER + 1, "{}", lock(&jobs.0).len());
        assert!(jobs.get(&begun[0].id).is_err() && jobs.get(&begun[2 * MOST_OVER - 1].id).is_ok());
    }
}
