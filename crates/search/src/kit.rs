//! What is known of a game beyond its rules, by name: from a kit and settings a search is composed.

use banyan_core::{Evaluator, Game, Knowledge, Plain, TextError};

use crate::options::Config;

/// Knowledge and evaluators of one game. [`Plain`] is the kit of a game of which nothing but the rules is known.
pub trait Kit<G: Game>: Send + Sync + 'static {
    /// Static evaluation, forced moves and move ordering.
    type Knowledge: Knowledge<G> + Clone + 'static;

    /// What is known of the game.
    fn knowledge(&self) -> Self::Knowledge;

    /// The evaluators of leaves that this game has beside [those of every game](crate::EVALUATORS): name and meaning.
    fn evaluators(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// The evaluator of leaves called `name`, as the settings want it; `None` if the game has no evaluator of its own
    /// under that name. One of the same name as an [evaluator of every game](crate::EVALUATORS) takes its place.
    ///
    /// # Errors
    /// Settings that it does not take.
    fn evaluator(&self, _name: &str, _config: &Config) -> Result<Option<Box<dyn Evaluator<G>>>, TextError> {
        Ok(None)
    }

    /// What evaluates new nodes themselves; `None` for the static evaluation.
    fn node_evaluator(&self) -> Option<Box<dyn Evaluator<G>>> {
        None
    }

    /// What gives [priors on request](banyan_core::Priors::OnRequest), if the game has such.
    fn prior_evaluator(&self) -> Option<Box<dyn Evaluator<G>>> {
        None
    }
}

impl<G: Game> Kit<G> for Plain {
    type Knowledge = Plain;

    fn knowledge(&self) -> Plain {
        Plain
    }
}
