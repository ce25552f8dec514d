//! A tree, the evaluators it asks, and what a simulation needs of the game's own types.

use std::slice;

use banyan_core::{Answer, Evaluator, Game, Leaves, MoveList, Priors};

use super::children::Group;
use super::context::Context;
use super::opponent_model::OpponentModel;
use super::policy::Policies;
use crate::alpha_beta::Lookahead;
use crate::evaluators::{leaf_evaluator, node_evaluator, prior_evaluator};
use crate::options::{Config, ExpansionWidth, LeafValue as UnvisitedValue, Policy, Scale, Selection};
use crate::tree::{LeafValue, Tree};

/// A tree, and everything over the game's types that a simulation works with.
pub(crate) struct Search<G: Game> {
    pub(crate) tree: Tree,
    /// Moves last listed.
    pub(crate) moves: MoveList<G::Move>,
    /// Says what leaves are worth.
    pub(crate) evaluator: Box<dyn Evaluator<G>>,
    /// Says more about new nodes themselves, beside the evaluation of their children.
    pub(crate) node_evaluator: Option<Box<dyn Evaluator<G>>>,
    /// Gives priors when asked, where the evaluator of leaves does not give them with the values.
    pub(crate) prior_evaluator: Option<Box<dyn Evaluator<G>>>,
    /// Whether the evaluator of leaves gives priors with the values.
    pub(crate) priors_with_values: bool,
    /// `[pending]`: the positions of the leaves that wait.
    pub(crate) states: Vec<G::State>,
    pub(crate) policies: Policies<G>,
    pub(crate) group: Group<G>,
    pub(crate) opponent_model: Option<OpponentModel<G>>,
    /// Finds the root's move that gets a bonus.
    pub(crate) root_bias: Option<Box<Lookahead<G>>>,
}

impl<G: Game> Search<G> {
    /// A search that knows nothing, with an evaluator of one's own or the one that the settings name.
    pub(crate) fn new(
        config: &Config,
        evaluator: Option<Box<dyn Evaluator<G>>>,
        opponent_model: Option<OpponentModel<G>>,
    ) -> Search<G> {
        let own = evaluator.is_some();
        let evaluator = evaluator.unwrap_or_else(|| leaf_evaluator(config));
        let priors_with_values = evaluator.gives_priors() == Priors::WithValues;
        let asked = (!own).then(|| prior_evaluator(config)).flatten();
        let on_request = evaluator.gives_priors() == Priors::OnRequest;
        let prior_evaluator = if on_request { Some(evaluator.fork(0)) } else { asked };
        let keeps_priors = priors_with_values || prior_evaluator.is_some();
        Search {
            tree: Tree::new(config, keeps_priors),
            moves: MoveList::new(),
            evaluator,
            node_evaluator: if own { None } else { node_evaluator(config) },
            prior_evaluator,
            priors_with_values,
            states: Vec::new(),
            policies: Policies::default(),
            group: Group::default(),
            opponent_model,
            root_bias: (config.prior > 0).then(|| Box::new(Lookahead::new(config.prior))),
        }
    }

    /// Whether the usual loop will do: UCB1 with one weight, one child at a time and leaf by leaf. With all options in one
    /// loop too little fits the registers, and simulations take about a quarter longer in a tree, a fifth in a graph.
    pub(crate) fn is_plain(&self, config: &Config) -> bool {
        let kinds = config.selection == Selection::Ucb1
            && config.scale == Scale::None
            && config.leaf_value == UnvisitedValue::Own
            && config.expand == ExpansionWidth::One
            && config.policy == Policy::Even
            && self.opponent_model.is_none();
        let numbers = (config.horizon, config.batch) == (0, 1) && config.lazy == 0.0;
        let usual = kinds && numbers && config.urgency.is_none() && !config.schedule.is_set();
        usual && !self.tree.keeps_priors() && self.tree.preferred.is_none()
    }

    /// Forgets everything that was searched.
    pub(crate) fn forget(&mut self) {
        self.tree.forget();
        self.clear_pending();
        self.forget_advice();
    }

    /// Forgets what smaller searches have seen.
    pub(crate) fn forget_advice(&mut self) {
        self.tree.preferred = None;
        self.opponent_model.iter_mut().for_each(OpponentModel::forget);
        self.root_bias.iter_mut().for_each(|lookahead| lookahead.forget());
    }

    /// What a single leaf is worth that has had so many visits.
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
