//! What fitted weights say of a position: an evaluation of new nodes, and priors.

use banyan_core::{Evaluator, Game, Leaves, Priors, Rng};

use super::{ConnectFour, Grid, State};

/// What every free cell would complete and who will get it, see experiments/connect-four-node-eval: a closer look than the
/// static evaluation, on the same scale, for nodes of a Monte Carlo search.
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

/// Priors by the patterns around the cells that a stone takes and opens, see experiments/connect-four-priors. It values no
/// leaves.
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
