//! One search whose leaves are worth the mean of several playouts, one by each thread at the same time.
//!
//! Every leaf is waited for, which takes some 20 µs beside its playouts: it pays where one takes much longer. The playouts
//! of a leaf count as one.

use std::sync::Mutex;

use banyan_core::{Game, Limits, Report, Situation, Watch};

use super::crew::Crew;
use super::lock;
use super::one_leaf::{Asked, Descent, descend, settle};
use super::overseer::{Most, Overseer};
use crate::mcts::Config;
use crate::mcts::mind::Mind;
use crate::mcts::search::{Search, Worth};
use crate::mcts::task::Task;

/// One who makes playouts beside the first, and what the last was worth.
struct Valuer<'a, G: Game> {
    search: &'a mut Search<G>,
    worth: Option<Worth>,
}

/// Searches until the budget is spent. The first mind has the graph, the others only make playouts.
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
    let most = Most::new(limits, search, &task);
    let asked: Mutex<Option<Asked<G>>> = Mutex::new(None);
    let valuers: Vec<Mutex<Valuer<'_, G>>> =
        others.iter_mut().map(|mind| Mutex::new(Valuer { search: &mut mind.search, worth: None })).collect();
    let help = |number: usize, _: &Crew| {
        let leaf = lock(&asked).expect("a leaf has been found");
        let mut valuer = lock(&valuers[number - 1]);
        valuer.worth = Some(value(valuer.search, &task, leaf));
    };
    Crew::with(valuers.len(), &help, |crew| {
        while !search.graph.is_settled(task.root) && !most.is_reached(search) {
            if let Descent::Leaf(leaf) = descend(search, &task) {
                *lock(&asked) = Some(leaf);
                let mut own = None;
                crew.leg(|_| own = Some(value(search, &task, leaf)), &mut || false);
                let theirs = valuers.iter().filter_map(|valuer| lock(valuer).worth.take());
                settle(search, &task, 0, mean(own.into_iter().chain(theirs), &task));
            }
            if !overseer.goes_on(search, &task) {
                break;
            }
        }
    });
    overseer.report(search, &task)
}

fn value<G: Game>(search: &mut Search<G>, task: &Task<'_, G>, leaf: Asked<G>) -> Worth {
    search.evaluate(task, leaf.state, leaf.offset, leaf.visits)
}

/// What all say together: the mean value, and what any has proven.
fn mean<G: Game>(worths: impl Iterator<Item = Worth>, task: &Task<'_, G>) -> Worth {
    let (mut n, mut sum, mut proven) = (0.0, 0.0, None);
    for Worth { value, bounds } in worths {
        (n, sum) = (n + 1.0, sum + value);
        proven = match (proven, bounds) {
            (Some(a), Some(b)) => Some(b.and(a)),
            (a, b) => a.or(b),
        };
    }
    let value = sum / n;
    Worth { value: proven.map_or(value, |bounds| bounds.clamp(value, task.rules.reward)), bounds: proven }
}
