//! Game knowledge beyond the rules, from which a search is composed according to its settings.

use banyan_core::{Evaluator, Game, Knowledge, MoveList, Plain, Planes, Prover, TextError};

use crate::options::Config;

/// Knowledge and evaluators of one game. [`Plain`] is the kit of a game of which only the rules are known.
pub trait Kit<G: Game>: Clone + Send + Sync + 'static {
    /// Static evaluation, forced moves and move ordering.
    type Knowledge: Knowledge<G> + Clone + 'static;

    /// The knowledge itself.
    fn knowledge(&self) -> Self::Knowledge;

    /// The leaf evaluators of this game, in addition to [those of every game](crate::EVALUATORS): name and meaning.
    fn evaluators(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The leaf evaluator called `name`, configured by the settings; `None` if the game has no such evaluator. It takes
    /// precedence over an [evaluator of every game](crate::EVALUATORS) of the same name.
    ///
    /// # Errors
    /// Settings that the evaluator does not support.
    fn evaluator(&self, _name: &str, _config: &Config) -> Result<Option<Box<dyn Evaluator<G>>>, TextError> {
        Ok(None)
    }

    /// The evaluator of new nodes (`node-eval`); `None` for the static evaluation.
    fn node_evaluator(&self) -> Option<Box<dyn Evaluator<G>>> {
        None
    }

    /// The evaluator that gives [priors on request](banyan_core::Priors::OnRequest), if the game has one.
    fn prior_evaluator(&self) -> Option<Box<dyn Evaluator<G>>> {
        None
    }

    /// A dedicated exact solver of the game with a table of at most `table_bytes` bytes; `None` if alpha-beta is as good.
    fn prover(&self, _table_bytes: u64) -> Option<Box<dyn Prover<G>>> {
        None
    }

    /// The planes of positions on this board, for evaluators from outside; `None` if the game has none.
    fn planes(&self, _game: &G) -> Option<Box<dyn Planes<G>>> {
        None
    }

    /// Appends the moves of a player that considers only the immediate gain and loss of a move; at least one. By default
    /// every move.
    fn casual_moves(&self, game: &G, state: &G::State, out: &mut MoveList<G::Move>) {
        game.moves(state, out);
    }
}

impl<G: Game> Kit<G> for Plain {
    type Knowledge = Plain;

    fn knowledge(&self) -> Plain {
        Plain
    }
}
