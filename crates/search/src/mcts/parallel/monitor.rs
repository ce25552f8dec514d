//! The search monitor of threads with a common lock: limits, clock and observer.

use std::time::Duration;

use banyan_core::clock::Instant;
use banyan_core::{Flow, Game, Limits, Report, SearchObserver, Situation};

use crate::budget::{Budget, EarlyEnd};
use crate::mcts::report::{self, FinalMoveSelector, TreeView};
use crate::mcts::simulate::{Context, Search, Searcher};
use crate::mcts::tree::Tree;
use crate::options::Config;

/// A search stops, whatever its limits, at this number of visits of the root, so that counts stay below 2^31, because
/// scores are computed from signed numbers. The fastest game takes some 20 minutes to reach it, after which the result
/// hardly changes.
pub(crate) const MOST_VISITS: u64 = (1 << 31) - (1 << 16);

/// Progress is reported this often.
pub(crate) const PROGRESS_EVERY: Duration = Duration::from_millis(50);

/// The limits and the observer of one search.
pub(super) struct Monitor<'a, G: Game> {
    budget: Budget,
    observer: &'a mut dyn SearchObserver<G::Move>,
    reused: f64,
    /// Whether the search stops if there is a single move.
    plays_forced: bool,
    /// Playouts at the next check.
    next_check_at: u64,
    last_progress: Instant,
}

/// Limits on counts, which every thread checks.
#[derive(Clone, Copy)]
pub(super) struct Most {
    playouts: u64,
    nodes: u64,
}

impl Most {
    /// At least one playout is made.
    pub(super) fn new(limits: &Limits, tree: &Tree) -> Most {
        let visits_left = MOST_VISITS.saturating_sub(tree.graph.total_visits(tree.root));
        let playouts = limits.playouts.unwrap_or(u64::MAX).min(visits_left).max(1);
        Most { playouts, nodes: limits.nodes.unwrap_or(u64::MAX).max(1) }
    }

    /// Whether a limit is reached.
    pub(super) fn is_reached(self, tree: &Tree) -> bool {
        tree.spent() >= self.playouts || tree.nodes >= self.nodes
    }
}

impl<'a, G: Game> Monitor<'a, G> {
    /// Starts the clock, and sets the root of `first`.
    pub(super) fn begin(
        config: &'a Config,
        first: &mut Searcher<G>,
        at: &Situation<'a, G>,
        limits: &Limits,
        observer: &'a mut dyn SearchObserver<G::Move>,
    ) -> (Monitor<'a, G>, Context<'a, G>) {
        let game = at.game;
        let plies_left = game.plies_left(at.state);
        let budget = Budget::start(limits, plies_left, EarlyEnd::of(config));
        let plays_forced = config.plays_forced(limits);
        let context = Context { game, config, state: at.state };
        let reused = first.begin_at(config, at);
        first.search.find_preferred_move(&context);
        first.search.tree.begin_stretch(0, u64::MAX);
        (Monitor { budget, observer, reused, plays_forced, next_check_at: 1, last_progress: Instant::now() }, context)
    }

    /// Whether the search continues; to be called after every playout.
    pub(super) fn continues(&mut self, search: &Search<G>, context: &Context<'_, G>) -> bool {
        let tree = &search.tree;
        let spent = tree.spent();
        if spent < self.next_check_at {
            return true;
        }
        let root_status = || {
            let (mover, guide) = (context.game.to_move(context.state), context.guide(context.state));
            let offset = context.offset(&tree.params, context.state);
            let selector = FinalMoveSelector { tree, config: context.config, mover, offset, guide: &guide };
            selector.root_status(&TreeView::of(tree, tree.root, mover))
        };
        let Some(stretch) = self.budget.next_stretch(spent, tree.nodes, &root_status) else {
            return false;
        };
        self.next_check_at = spent + stretch;
        if self.plays_forced && tree.graph.len(tree.root) == 1 || self.observer.stopped() {
            return false;
        }
        if self.last_progress.elapsed() < PROGRESS_EVERY {
            return true;
        }
        self.last_progress = Instant::now();
        let report = self.report(search, context);
        self.observer.progress(&report) == Flow::Continue
    }

    /// The current report.
    pub(super) fn report(&self, search: &Search<G>, context: &Context<'_, G>) -> Report<G::Move> {
        report::report(context, &search.tree, self.reused, self.budget.elapsed())
    }
}
