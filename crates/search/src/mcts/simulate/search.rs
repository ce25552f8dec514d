//! A tree with its evaluators and the game-typed buffers of a simulation.

use std::slice;

use banyan_core::{Answer, Evaluator, Game, Knowledge, Leaves, MoveList, Priors};

use super::context::Context;
use super::group::Group;
use super::opponent_model::OpponentModel;
use super::pending_moves::PendingMoves;
use super::simulated::Simulated;
use crate::alpha_beta::ShallowSearch;
use crate::mcts::evaluators::Parts;
use crate::mcts::tree::{LeafValue, Params, Tree};
use crate::options::{Amaf, Config, ExpansionWidth, PriorSource, RootSearch, Scale, Selection, UnvisitedValue};

/// A tree, and everything typed by the game that a simulation works with.
pub(crate) struct Search<G: Game> {
    pub(crate) tree: Tree,
    /// The moves listed last.
    pub(crate) moves: MoveList<G::Move>,
    /// Lists forced moves.
    pub(crate) knowledge: Box<dyn Knowledge<G>>,
    /// Values leaves.
    pub(crate) evaluator: Box<dyn Evaluator<G>>,
    /// Whether its values are static evaluations and nothing else.
    leaves_are_static: bool,
    /// Values the positions at the horizon; `None` if they are valued like other leaves.
    pub(crate) horizon_evaluator: Option<Box<dyn Evaluator<G>>>,
    /// Evaluates new nodes (`node-eval`), in addition to their children.
    pub(crate) node_evaluator: Option<Box<dyn Evaluator<G>>>,
    /// Gives priors on request, if the leaf evaluator does not give them with the values.
    pub(crate) prior_evaluator: Option<Box<dyn Evaluator<G>>>,
    /// Whether the leaf evaluator gives priors with the values.
    pub(crate) priors_with_values: bool,
    /// Whether something learns from the moves of simulations.
    pub(crate) learns: bool,
    /// Whether evaluations need the moves before a leaf.
    pub(super) needs_last_moves: bool,
    pub(super) simulated: Simulated<G>,
    /// Static evaluations of the children of the last new node, as rewards.
    pub(super) heuristics: Vec<f32>,
    /// `[pending]`: the positions of the pending leaves.
    pub(crate) states: Vec<G::State>,
    pub(crate) pending_moves: PendingMoves<G>,
    pub(crate) group: Group<G>,
    pub(crate) opponent_model: Option<OpponentModel<G>>,
    /// Finds the root move that gets a bonus.
    pub(crate) root_bias: Option<Box<dyn ShallowSearch<G>>>,
}

impl<G: Game> Search<G> {
    /// A search with an empty tree.
    pub(crate) fn new(config: &Config, parts: Parts<G>, opponent_model: Option<OpponentModel<G>>) -> Search<G> {
        let Parts { knowledge, mut leaves, leaves_are_static, horizon, nodes, priors, root_bias } = parts;
        let needs_last_moves = leaves.learner().is_some_and(|learner| learner.needs_last_moves());
        let learns = config.amaf != Amaf::Off || leaves.learner().is_some();
        let priors_with_values = leaves.gives_priors() == Priors::WithValues;
        Search {
            tree: Tree::new(config, priors_with_values || priors.is_some()),
            moves: MoveList::new(),
            knowledge,
            evaluator: leaves,
            leaves_are_static,
            horizon_evaluator: horizon,
            node_evaluator: nodes,
            prior_evaluator: priors,
            priors_with_values,
            learns,
            needs_last_moves,
            simulated: Simulated::default(),
            heuristics: Vec::new(),
            states: Vec::new(),
            pending_moves: PendingMoves::default(),
            group: Group::default(),
            opponent_model,
            root_bias,
        }
    }

    /// The parameters that follow from the settings and the game.
    pub(crate) fn params(&self, context: &Context<'_, G>) -> Params {
        let scale = self.knowledge.eval_scale(context.game);
        let leaves = (self.evaluator.has_bonus(), self.leaves_are_static);
        Params::new(context.config, context.game.margin_range(), scale, leaves)
    }

    /// The value of a leaf, finished or not, with the bonus of its evaluator. Not in the plain loop.
    #[inline]
    pub(crate) fn with_bonus(&self, context: &Context<'_, G>, state: &G::State, leaf: LeafValue) -> LeafValue {
        let bonus = if self.tree.params.has_bonus { self.evaluator.bonus(context.game, state) } else { 0.0 };
        LeafValue { value: leaf.value + bonus, ..leaf }
    }

    /// Notifies the evaluators of the root.
    pub(crate) fn begin_evaluations(&mut self, context: &Context<'_, G>) {
        for evaluator in self.evaluators() {
            evaluator.begin_search(context.game, context.state);
        }
    }

    fn evaluators(&mut self) -> impl Iterator<Item = &mut Box<dyn Evaluator<G>>> {
        let further = [&mut self.horizon_evaluator, &mut self.node_evaluator, &mut self.prior_evaluator];
        std::iter::once(&mut self.evaluator).chain(further.into_iter().flatten())
    }

    /// Whether the plain loop applies: UCB1 with one weight, one child at a time and leaf by leaf. With all options in
    /// one loop too few values fit the registers, and simulations take about a quarter longer in a tree, a fifth in a
    /// graph.
    pub(crate) fn is_plain(&self, config: &Config) -> bool {
        let kinds = config.selection == Selection::Ucb1
            && config.scale == Scale::None
            && config.unvisited == UnvisitedValue::Own
            && config.expand == ExpansionWidth::One
            && config.priors == PriorSource::Uniform
            && self.opponent_model.is_none();
        let numbers = (config.horizon, config.batch) == (0, 1) && config.lazy_expansion == 0.0;
        let usual = kinds
            && numbers
            && config.widening == 0
            && config.root_search == RootSearch::Tree
            && config.fpu.is_none()
            && !config.schedule.is_set();
        let no_bonus = self.tree.preferred.is_none() && !self.tree.params.has_bonus;
        usual && !self.tree.keeps_priors() && no_bonus && !self.learns && !config.uses_heuristics()
    }

    /// Clears the tree, the pending leaves and the evaluators.
    pub(crate) fn forget(&mut self) {
        self.tree.forget();
        self.clear_pending();
        self.forget_evaluations();
    }

    /// Clears the memory that evaluators and shallow searches keep between positions.
    pub(crate) fn forget_evaluations(&mut self) {
        self.evaluators().for_each(|evaluator| evaluator.new_game());
        self.tree.preferred = None;
        self.opponent_model.iter_mut().for_each(OpponentModel::forget);
        self.root_bias.iter_mut().for_each(|lookahead| lookahead.forget());
    }

    /// Removes all pending leaves.
    pub(crate) fn clear_pending(&mut self) {
        self.tree.pending.clear();
        self.states.clear();
        self.simulated.last_of_pending.clear();
        self.pending_moves.clear();
    }

    /// Whether the path ends at most `plies_above` plies above the horizon.
    pub(crate) fn is_at_horizon(&self, plies_above: usize) -> bool {
        let horizon = self.tree.params.horizon;
        horizon > 0 && self.tree.path.len() + plies_above >= horizon
    }

    /// Swaps the evaluator of the horizon with that of other leaves.
    pub(crate) fn swap_evaluators(&mut self) {
        if let Some(evaluator) = &mut self.horizon_evaluator {
            std::mem::swap(evaluator, &mut self.evaluator);
        }
    }

    /// The value of a single leaf with `visits` visits, without its bonus.
    #[inline]
    pub(crate) fn evaluate_one(
        &mut self,
        context: &Context<'_, G>,
        state: &G::State,
        offset: i16,
        visits: u32,
    ) -> LeafValue {
        let mut answer = Answer::default();
        let mut leaves = Leaves::new(slice::from_ref(state), slice::from_ref(&visits), slice::from_mut(&mut answer));
        self.evaluator.evaluate(context.game, &mut leaves, &mut self.tree.rng);
        self.tree.params.leaf_value(answer, offset)
    }
}
