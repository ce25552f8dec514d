//! Evaluators without playouts.

use banyan_core::{Evaluator, FINE, Game, Knowledge, Leaves, Rng};

use crate::alpha_beta::eval_error;

/// The [static evaluation](Knowledge::static_eval).
#[derive(Clone, Debug)]
pub struct StaticEvaluator<K>(pub K);

impl<G: Game, K: Knowledge<G> + Clone + 'static> Evaluator<G> for StaticEvaluator<K> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, _rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            leaves.set_points(i, self.0.static_eval(game, state));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(self.clone())
    }
}

/// The [static evaluation](Knowledge::static_eval) or the [static margin](Knowledge::static_margin), with an error of at most `most`.
#[derive(Clone)]
pub(crate) struct NoisyEvaluator<K> {
    pub(crate) knowledge: K,
    /// Whether it is the static margin.
    pub(crate) of_margin: bool,
    /// In units of 1 / [`FINE`] of a point.
    pub(crate) most: i32,
}

impl<G: Game, K: Knowledge<G> + Clone + 'static> Evaluator<G> for NoisyEvaluator<K> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, _rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            let points = if self.of_margin {
                i32::from(self.knowledge.static_margin(game, state).0) * FINE
            } else {
                self.knowledge.static_eval(game, state)
            };
            leaves.set_points(i, points + eval_error(&self.knowledge, game, state, self.most));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(self.clone())
    }
}

/// The [margin if the game stopped here](Knowledge::static_margin).
#[derive(Clone)]
pub(crate) struct StaticMargin<K>(pub(crate) K);

impl<G: Game, K: Knowledge<G> + Clone + 'static> Evaluator<G> for StaticMargin<K> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, _rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            leaves.set_margin(i, self.0.static_margin(game, state));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(self.clone())
    }
}
