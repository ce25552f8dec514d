//! Game knowledge beyond the rules, from which a search is composed according to its settings.

use banyan_core::{Evaluator, Features, Game, Knowledge, MoveList, Plain, Prover, TextError};

use crate::options::Config;

/// An evaluation of a game that is learned from games: how these are played unless told otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LessonPlan {
    /// The name of the evaluation.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// The player of the first moves, which are not learned from.
    pub opening: &'static str,
    /// The least and the greatest number of those moves.
    pub opening_plies: [u16; 2],
    /// The player of the other moves.
    pub player: &'static str,
    /// Its budget for a move.
    pub budget: &'static str,
    /// The least and the greatest number of plies left in positions that are learned from.
    pub plies_left: [u16; 2],
}

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

    /// The leaf evaluator called `name`, configured by the settings; `None` if the game has no such evaluator of its
    /// own. It takes precedence over an [evaluator of every game](crate::EVALUATORS) of the same name.
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

    /// The game's own exact solver with a table of at most so many bytes; `None` if alpha-beta is as good.
    fn prover(&self, _table_bytes: u64) -> Option<Box<dyn Prover<G>>> {
        None
    }

    /// The evaluations that can be learned.
    fn lessons(&self) -> &'static [LessonPlan] {
        &[]
    }

    /// The features of one of them on this board; `None` if it is none of them.
    fn features(&self, _lesson: &str, _game: &G) -> Option<Box<dyn Features<G>>> {
        None
    }

    /// Appends the moves of a player that looks at nothing but what a move takes or gives away; at least one. By default
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
