//! Leaves valued by an evaluator from outside, which reads planes.

use std::sync::Arc;

use banyan_core::{Evaluator, Game, Leaves, PlaneBatch, PlaneEvaluator, Planes, Priors, Rng};

use crate::options::Reward;

/// An evaluator from outside as one of leaves, for rewards that are results.
pub(crate) struct PlaneLeaves<G: Game> {
    planes: Arc<dyn Planes<G>>,
    outside: Box<dyn PlaneEvaluator>,
    reward: Reward,
    /// `[n, channels, rows, columns]`, `[n]` and `[n, n_actions]`, kept from batch to batch.
    written: Vec<f32>,
    values: Vec<f32>,
    priors: Vec<f32>,
}

impl<G: Game> PlaneLeaves<G> {
    pub(crate) fn new(planes: Arc<dyn Planes<G>>, outside: Box<dyn PlaneEvaluator>, reward: Reward) -> Self {
        PlaneLeaves { planes, outside, reward, written: Vec::new(), values: Vec::new(), priors: Vec::new() }
    }
}

/// A number that is finite and at least `least`, or else 0.
fn sound(x: f32, least: f32) -> f32 {
    if x.is_finite() && x >= least { x } else { 0.0 }
}

impl<G: Game> Evaluator<G> for PlaneLeaves<G> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, _rng: &mut Rng) {
        let ([channels, rows, columns], n, n_actions) = (self.planes.shape(), leaves.len(), self.planes.n_actions());
        let size = channels * rows * columns;
        self.written.clear();
        self.written.resize(n * size, 0.0);
        for (state, out) in leaves.states().iter().zip(self.written.chunks_exact_mut(size)) {
            self.planes.write(game, state, out);
        }
        self.values.clear();
        self.values.resize(n, 0.0);
        self.priors.clear();
        self.priors.resize(n * n_actions, 1.0);
        let batch = PlaneBatch { planes: &self.written, shape: [n, channels, rows, columns], n_actions };
        self.outside.evaluate(&batch, &mut self.values, &mut self.priors);
        for (i, state) in leaves.states().iter().enumerate() {
            let result = sound(self.values[i], f32::NEG_INFINITY).clamp(-1.0, 1.0);
            let for_first = result * f32::from(game.to_move(state).sign());
            leaves.set_value(i, if self.reward == Reward::Wdl { for_first } else { (for_first + 1.0) / 2.0 });
            let (moves, of_actions) = (leaves.moves(i), &self.priors[i * n_actions..(i + 1) * n_actions]);
            for (prior, &mv) in leaves.priors_mut(i).iter_mut().zip(moves) {
                *prior = sound(of_actions[self.planes.action(mv)], 0.0);
            }
        }
    }

    fn gives_priors(&self) -> Priors {
        if self.outside.gives_priors() { Priors::WithValues } else { Priors::None }
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(PlaneLeaves::new(Arc::clone(&self.planes), self.outside.fork(thread), self.reward))
    }
}
