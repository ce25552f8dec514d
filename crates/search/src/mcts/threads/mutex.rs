//! One lock over the graph: whoever holds it descends or backs up, and playouts are made without it.
//!
//! A yardstick: it shows what a lock costs. While a leaf is valued its path counts a visit more, as in a batch.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use banyan_core::{Game, Limits, Report, Situation, Watch};

use super::crew::Crew;
use super::lock;
use super::one_leaf::{Descent, descend, settle};
use super::overseer::{Most, Overseer};
use crate::mcts::Config;
use crate::mcts::mind::Mind;
use crate::mcts::search::Search;
use crate::mcts::task::Task;

/// Whoever waits for another's leaf looks this often whether a panic has ended all.
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// What all work on.
struct Desk<'a, G: Game> {
    search: &'a mut Search<G>,
    /// Who values the leaves that wait, in their order.
    owners: Vec<usize>,
    /// How many wait for a leaf of others.
    blocked: usize,
    most: Most,
    over: bool,
}

/// The desk and what belongs to it.
struct Office<'a, G: Game> {
    desk: Mutex<Desk<'a, G>>,
    /// A leaf was backed up, and somebody waits for that.
    settled: Condvar,
    leader_waits: AtomicBool,
    task: &'a Task<'a, G>,
}

/// Searches until the budget is spent. The first mind has the graph, each of the others makes playouts.
pub(in crate::mcts) fn search<G: Game>(
    config: &Config,
    minds: &mut [Mind<G>],
    at: &Situation<'_, G>,
    limits: &Limits,
    watch: &mut dyn Watch<G::Move>,
) -> Report<G::Move> {
    let (first, others) = minds.split_first_mut().expect("a search has a mind");
    let (mut overseer, task) = Overseer::begin(config, first, at, limits, watch);
    let search = &mut first.search;
    if !search.graph.is_settled(task.root) {
        let most = Most::new(limits, search, &task);
        let desk = Mutex::new(Desk { search, owners: Vec::new(), blocked: 0, most, over: false });
        let office = Office { desk, settled: Condvar::new(), leader_waits: AtomicBool::new(false), task: &task };
        let valuers: Vec<Mutex<&mut Search<G>>> = others.iter_mut().map(|mind| Mutex::new(&mut mind.search)).collect();
        let help = |number: usize, crew: &Crew| office.work(number, crew, &mut lock(&valuers[number]), &mut |_| true);
        Crew::with(valuers.len() - 1, &help, |crew| {
            let mut look = |search: &Search<G>| overseer.goes_on(search, &task);
            crew.leg(|_| office.work(0, crew, &mut lock(&valuers[0]), &mut look), &mut || false);
        });
    }
    overseer.report(&first.search, &task)
}

impl<'a, G: Game> Office<'a, G> {
    /// The desk, when it is free. The leader goes first: it alone looks at clock and watch, and locks are not fair.
    fn enter(&self, number: usize) -> MutexGuard<'_, Desk<'a, G>> {
        if number == 0 {
            self.leader_waits.store(true, Ordering::Relaxed);
            let desk = lock(&self.desk);
            self.leader_waits.store(false, Ordering::Relaxed);
            return desk;
        }
        while self.leader_waits.load(Ordering::Relaxed) && !self.desk.is_poisoned() {
            thread::yield_now();
        }
        lock(&self.desk)
    }

    /// Searches until all is over. `look` says after every playout whether it is to go on.
    fn work(&self, number: usize, crew: &Crew, valuer: &mut Search<G>, look: &mut dyn FnMut(&Search<G>) -> bool) {
        let task = self.task;
        let mut desk = self.enter(number);
        while !desk.is_over(task) && !crew.is_paused() && !self.desk.is_poisoned() {
            match descend(desk.search, task) {
                Descent::Known => {}
                Descent::Blocked => {
                    desk.blocked += 1;
                    desk = self.settled.wait_timeout(desk, LOOK_EVERY).unwrap_or_else(PoisonError::into_inner).0;
                    desk.blocked -= 1;
                }
                Descent::Leaf(asked) => {
                    desk.owners.push(number);
                    drop(desk);
                    let worth = valuer.evaluate(task, asked.state, asked.offset, asked.visits);
                    desk = self.enter(number);
                    let i = desk.owners.iter().position(|&owner| owner == number).expect("its leaf waits");
                    desk.owners.remove(i);
                    settle(desk.search, task, i, worth);
                    if desk.blocked > 0 {
                        self.settled.notify_all();
                    }
                }
            }
            desk.over = desk.over || !look(desk.search);
        }
    }
}

impl<G: Game> Desk<'_, G> {
    fn is_over(&self, task: &Task<'_, G>) -> bool {
        self.over || self.most.is_reached(self.search) || self.search.graph.is_settled(task.root)
    }
}
