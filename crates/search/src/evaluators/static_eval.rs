//! Evaluators without playouts.

use banyan_core::{Evaluator, Game, Knowledge, Leaves, Rng};

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
