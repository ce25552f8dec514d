//! Tree parallelisation with one lock over the graph: a thread holds it to descend and to back up, and evaluates leaves
//! without it.
//!
//! For comparison: it shows the cost of a lock. A pending leaf adds an unobserved visit to its path, as in a batch.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};
use std::time::Duration;

use banyan_core::{Game, Limits, Report, SearchObserver, Situation};

use super::lock::lock;
use super::monitor::{Monitor, Most};
use super::pool::Pool;
use crate::mcts::simulate::{Context, Search, Searcher};
use crate::mcts::tree::Exclusive;
use crate::options::Config;

/// Interval at which a thread that waits for a pending leaf checks for a panic of another thread.
const CHECK_EVERY: Duration = Duration::from_millis(1);

/// The data behind the lock.
struct Locked<'a, G: Game> {
    search: &'a mut Search<G>,
    /// The threads that evaluate the pending leaves, in their order.
    owners: Vec<usize>,
    /// Threads that wait for a leaf of another.
    blocked: usize,
    most: Most,
    over: bool,
}

/// State shared by all threads: the data behind the lock, and the signals for taking it.
struct Job<'a, G: Game> {
    locked: Mutex<Locked<'a, G>>,
    /// Signalled when a leaf is backed up and a helper waits for that.
    backed_up: Condvar,
    /// The thread of the first searcher, which checks clock and observer.
    coordinator: Thread,
    /// Whether it waits for the lock.
    coordinator_waits: AtomicBool,
    context: &'a Context<'a, G>,
}

/// The result of a descent.
enum Outcome<G: Game> {
    /// A leaf, now pending: its position, the score from which it counts, its visits so far, and whether it is at the horizon.
    Leaf(G::State, i16, u32, bool),
    /// A known value, which is backed up.
    Known,
    /// A leaf that is already pending: nothing has changed.
    Blocked,
}

/// Searches until a stop condition holds. The first searcher has the graph, each of the others evaluates leaves.
pub(crate) fn search<G: Game>(
    config: &Config,
    searchers: &mut [Searcher<G>],
    at: &Situation<'_, G>,
    limits: &Limits,
    observer: &mut dyn SearchObserver<G::Move>,
) -> Report<G::Move> {
    let (first, rest) = searchers.split_first_mut().expect("a search has a searcher");
    let (mut monitor, context) = Monitor::begin(config, first, at, limits, observer);
    let search = &mut first.search;
    if !search.tree.is_solved() {
        let most = Most::new(limits, &search.tree);
        let locked = Mutex::new(Locked { search, owners: Vec::new(), blocked: 0, most, over: false });
        let coordinator_waits = AtomicBool::new(false);
        let (backed_up, coordinator) = (Condvar::new(), thread::current());
        let job = Job { locked, backed_up, coordinator, coordinator_waits, context: &context };
        let evaluators: Vec<Mutex<&mut Search<G>>> = rest
            .iter_mut()
            .map(|searcher| {
                searcher.search.tree.params = searcher.search.params(&context);
                searcher.search.begin_evaluations(&context);
                Mutex::new(&mut searcher.search)
            })
            .collect();
        let help = |number: usize, pool: &Pool| job.work(number, pool, &mut lock(&evaluators[number]), &mut |_| true);
        Pool::with(evaluators.len() - 1, &help, &mut |pool| {
            let mut check = |search: &Search<G>| monitor.continues(search, &context);
            pool.phase(&mut |_| job.work(0, pool, &mut lock(&evaluators[0]), &mut check), &mut || false);
        });
    }
    monitor.report(&first.search, &context)
}

impl<'a, G: Game> Job<'a, G> {
    /// Takes the lock. The coordinator has priority: it alone checks clock and observer, and locks are not fair.
    fn enter(&self, number: usize) -> MutexGuard<'_, Locked<'a, G>> {
        if number == 0 {
            self.coordinator_waits.store(true, Ordering::Relaxed);
            let locked = lock(&self.locked);
            self.coordinator_waits.store(false, Ordering::Relaxed);
            return locked;
        }
        while self.coordinator_waits.load(Ordering::Relaxed) && !self.locked.is_poisoned() {
            thread::yield_now();
        }
        lock(&self.locked)
    }

    /// Waits for a while, or until a leaf is backed up.
    fn wait<'l>(&'l self, number: usize, mut locked: MutexGuard<'l, Locked<'a, G>>) -> MutexGuard<'l, Locked<'a, G>> {
        locked.blocked += 1;
        let mut locked = if number == 0 {
            drop(locked);
            thread::park_timeout(CHECK_EVERY);
            // A condition variable would take the lock without priority.
            self.enter(number)
        } else {
            self.backed_up.wait_timeout(locked, CHECK_EVERY).unwrap_or_else(PoisonError::into_inner).0
        };
        locked.blocked -= 1;
        locked
    }

    /// Searches until the search is over. `check` returns after every playout whether to continue.
    fn work(&self, number: usize, pool: &Pool, evaluator: &mut Search<G>, check: &mut dyn FnMut(&Search<G>) -> bool) {
        let context = self.context;
        let mut locked = self.enter(number);
        while !locked.is_over() && !pool.is_paused() && !self.locked.is_poisoned() {
            match descend(locked.search, context) {
                Outcome::Known => {
                    // If no leaf has to be evaluated, the lock would never be free.
                    if number != 0 && self.coordinator_waits.load(Ordering::Relaxed) {
                        drop(locked);
                        locked = self.enter(number);
                    }
                }
                Outcome::Blocked => locked = self.wait(number, locked),
                Outcome::Leaf(state, offset, visits, at_horizon) => {
                    locked.owners.push(number);
                    drop(locked);
                    if at_horizon {
                        evaluator.swap_evaluators();
                    }
                    let value = evaluator.evaluate_one(context, &state, offset, visits);
                    let value = evaluator.with_bonus(context, &state, value);
                    if at_horizon {
                        evaluator.swap_evaluators();
                    }
                    locked = self.enter(number);
                    let i = locked.owners.iter().position(|&owner| owner == number).expect("its leaf is pending");
                    locked.owners.remove(i);
                    locked.search.tree.restore_path(i);
                    locked.search.resolve(context, &mut Exclusive, i, value);
                    locked.search.remove_pending(i);
                    if locked.blocked > 0 {
                        self.backed_up.notify_all();
                        self.coordinator.unpark();
                    }
                }
            }
            locked.over = locked.over || !check(locked.search);
        }
    }
}

impl<G: Game> Locked<'_, G> {
    fn is_over(&self) -> bool {
        self.over || self.most.is_reached(&self.search.tree) || self.search.tree.is_solved()
    }
}

/// Descends once. A new leaf is added to the pending ones.
fn descend<G: Game>(search: &mut Search<G>, context: &Context<'_, G>) -> Outcome<G> {
    let before = search.tree.pending.len();
    search.advance(context, &mut Exclusive);
    if search.tree.pending.len() > before {
        let (state, offset, edge) = search.last_pending();
        // Its unobserved visit is already counted.
        return Outcome::Leaf(state, offset, search.tree.graph.visits_of(edge) - 1, search.is_at_horizon(0));
    }
    if search.tree.pending.take_blocked() { Outcome::Blocked } else { Outcome::Known }
}
