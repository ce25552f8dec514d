//! Evaluators with fitted weights: node evaluation and priors.

use banyan_core::{Evaluator, Game, Leaves, Priors, Rng};

use super::{ConnectFour, Grid, State};

/// Node evaluation for Monte Carlo search: a linear model of the lines that every free cell would complete and of the
/// side that will get it, see [`node_eval`](crate::node_eval) and experiments/connect-four-node-eval. Gives expected
/// points on the scale of the static evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeEvaluator;

impl<B: Grid> Evaluator<ConnectFour<B>> for NodeEvaluator {
    fn evaluate(&mut self, game: &ConnectFour<B>, leaves: &mut Leaves<'_, ConnectFour<B>>, _rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            leaves.set_points(i, i32::from(game.to_move(state).sign()) * game.node_eval(state));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<ConnectFour<B>>> {
        Box::new(*self)
    }
}

/// Priors from the patterns around the cell of a stone and the cell above it, see [`priors`](crate::priors) and
/// experiments/connect-four-priors. Gives priors on request and no values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyPriors;

impl<B: Grid> Evaluator<ConnectFour<B>> for PolicyPriors {
    fn evaluate(&mut self, _game: &ConnectFour<B>, _leaves: &mut Leaves<'_, ConnectFour<B>>, _rng: &mut Rng) {}

    fn gives_priors(&self) -> Priors {
        Priors::OnRequest
    }

    fn priors(&mut self, game: &ConnectFour<B>, state: &State<B>, moves: &[u8], out: &mut Vec<f32>) {
        game.priors(state, moves, out);
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<ConnectFour<B>>> {
        Box::new(*self)
    }
}
