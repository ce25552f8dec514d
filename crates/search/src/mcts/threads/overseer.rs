//! Decides when a search ends that several threads make of one graph, and tells who looks on.

use std::time::Instant;

use banyan_core::{Flow, Game, Limits, Report, Situation, Watch};

use crate::budget::Budget;
use crate::mcts::mind::Mind;
use crate::mcts::search::Search;
use crate::mcts::task::{Rules, Task};
use crate::mcts::{Config, MOST_VISITS, PROGRESS_EVERY};

/// What one search may spend, and who looks on.
pub(super) struct Overseer<'a, G: Game> {
    budget: Budget,
    watch: &'a mut dyn Watch<G::Move>,
    reused: f64,
    /// Whether a single move ends the search.
    plays_forced: bool,
    /// Playouts at which to look again.
    next_look: u64,
    last_told: Instant,
}

/// Counts that end a search wherever they are reached.
#[derive(Clone, Copy)]
pub(super) struct Most {
    playouts: u64,
    nodes: u64,
}

impl Most {
    /// However small the budget, one playout is made.
    pub(super) fn new<G: Game>(limits: &Limits, search: &Search<G>, task: &Task<'_, G>) -> Most {
        let room = MOST_VISITS.saturating_sub(search.graph.total_visits(task.root));
        let playouts = limits.playouts.unwrap_or(u64::MAX).min(room).max(1);
        Most { playouts, nodes: limits.nodes.unwrap_or(u64::MAX).max(1) }
    }

    /// Whether a search may make no more playouts.
    pub(super) fn is_reached<G: Game>(self, search: &Search<G>) -> bool {
        search.spent() >= self.playouts || search.nodes >= self.nodes
    }
}

impl<'a, G: Game> Overseer<'a, G> {
    /// Starts the clock, and makes the root from which `first` is to search.
    pub(super) fn begin(
        config: &'a Config,
        first: &mut Mind<G>,
        at: &Situation<'a, G>,
        limits: &Limits,
        watch: &'a mut dyn Watch<G::Move>,
    ) -> (Overseer<'a, G>, Task<'a, G>) {
        let game = at.game;
        let plies_left = game.max_plies().saturating_sub(game.ply(at.state));
        let budget = Budget::start(limits, plies_left, config.early_stop());
        let plays_forced = config.plays_forced(limits);
        let rules = Rules::new(game, config);
        let (root, reused) = first.root(config, at, rules);
        let task = Task { game, config, root, state: at.state, rules };
        first.search.favour(&task);
        first.search.begin_stretch(&task, 0, u64::MAX);
        (Overseer { budget, watch, reused, plays_forced, next_look: 1, last_told: Instant::now() }, task)
    }

    /// Whether the search is to go on; to be asked after every playout.
    pub(super) fn goes_on(&mut self, search: &Search<G>, task: &Task<'_, G>) -> bool {
        let spent = search.spent();
        if spent < self.next_look {
            return true;
        }
        let Some(stretch) = self.budget.next_stretch(spent, search.nodes, || search.standing(task)) else {
            return false;
        };
        self.next_look = spent + stretch;
        if self.plays_forced && search.graph.len(task.root) == 1 || self.watch.stopped() {
            return false;
        }
        if self.last_told.elapsed() < PROGRESS_EVERY {
            return true;
        }
        self.last_told = Instant::now();
        let report = self.report(search, task);
        self.watch.progress(&report) == Flow::Continue
    }

    /// The answer as things stand.
    pub(super) fn report(&self, search: &Search<G>, task: &Task<'_, G>) -> Report<G::Move> {
        search.report(task, self.reused, self.budget.elapsed())
    }
}
