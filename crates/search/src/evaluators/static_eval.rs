//! Values without playouts: what the game says of a position at a glance.

use banyan_core::{Evaluator, Game, Heuristic, Leaves, Priors, Rng};

/// The game's static evaluation.
#[derive(Clone, Copy)]
pub(crate) struct StaticEval;

impl<G: Game> Evaluator<G> for StaticEval {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, _rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            leaves.set_points(i, game.estimate(state));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(*self)
    }
}

/// The margin if the game stopped here.
#[derive(Clone, Copy)]
pub(crate) struct StaticMargin;

impl<G: Game> Evaluator<G> for StaticMargin {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, _rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            leaves.set_margin(i, game.standing(state));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(*self)
    }
}

/// The game's closer look at a position.
#[derive(Clone, Copy)]
pub(crate) struct Appraisal;

impl<G: Game> Evaluator<G> for Appraisal {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, _rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            leaves.set_points(i, game.appraise(state));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(*self)
    }
}

/// The game's own priors.
#[derive(Clone, Copy)]
pub(crate) struct GamePriors;

impl<G: Game> Evaluator<G> for GamePriors {
    fn evaluate(&mut self, _game: &G, _leaves: &mut Leaves<'_, G>, _rng: &mut Rng) {}

    fn gives_priors(&self) -> Priors {
        Priors::OnRequest
    }

    fn priors(&mut self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<f32>) {
        game.priors(state, moves, out);
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(*self)
    }
}

/// Values leaves by a [`Heuristic`] of one's own: expected margins, which the search turns into expected rewards.
#[derive(Clone, Debug)]
pub struct HeuristicEvaluator<H>(pub H);

impl<G: Game, H: Heuristic<G> + Clone + 'static> Evaluator<G> for HeuristicEvaluator<H> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, _rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            leaves.set_points(i, self.0.points(game, state));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(self.clone())
    }
}
