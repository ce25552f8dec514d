//! All threads search one graph, without a lock (Enzenberger and Müller 2010, A Lock-free Multithreaded Monte-Carlo
//! Tree Search Algorithm), each with a node cache (`tree::shared`).
//!
//! They run until memory has to be allocated, a progress report is due, time is over or the root is solved. Between
//! such phases the coordinator has the graph alone: so growth and recycling are the same as with one thread.

mod coordinator;
mod quota;
mod recompute;
mod worker;

use std::sync::Mutex;

use banyan_core::{Game, Limits, Report, SearchObserver, Situation};

use super::lock::lock;
use super::monitor::MOST_VISITS;
use super::pool::Pool;
use crate::budget::{Budget, EarlyEnd};
use crate::mcts::simulate::{Context, Searcher};
use crate::options::Config;
use coordinator::Coordinator;
use worker::{Job, Worker};

/// Searches until a stop condition holds. The first searcher has the graph.
pub(crate) fn search<G: Game>(
    config: &Config,
    searchers: &mut [Searcher<G>],
    at: &Situation<'_, G>,
    limits: &Limits,
    observer: &mut dyn SearchObserver<G::Move>,
) -> Report<G::Move> {
    let game = at.game;
    let plies_left = game.plies_left(at.state);
    let budget = Budget::start(limits, plies_left, EarlyEnd::of(config));
    let context = Context { game, config, state: at.state };
    let (first, rest) = searchers.split_first_mut().expect("a search has a searcher");
    let reused = first.begin_at(config, at);
    let search = &mut first.search;
    search.find_preferred_move(&context);
    let root = search.tree.root;
    search.tree.sort_untried(root, &context.guide(at.state));
    let visits_left = MOST_VISITS.saturating_sub(search.tree.graph.total_visits(root));
    let timed = limits.time.is_some() || limits.clock.is_some();
    let job = Job::new(context, (limits, visits_left), root, timed);
    let mut coordinator = Coordinator::new(&mut search.tree, context, (budget, limits, plies_left), observer, reused);
    if !coordinator.is_solved() {
        let workers: Vec<Mutex<Worker<'_, G>>> = rest
            .iter_mut()
            .enumerate()
            .map(|(number, searcher)| {
                Mutex::new(Worker::new(&mut searcher.search, &context, number, coordinator.tree()))
            })
            .collect();
        let work = |number: usize, pool: &Pool| lock(&workers[number]).work(&job, pool, &mut || false);
        Pool::with(workers.len() - 1, &work, &mut |pool| coordinator.run(&job, &workers[..=pool.helpers()], pool));
    }
    coordinator.report()
}
