//! What of a game's knowledge can be learned.

use banyan_core::{Game, Plain};

use crate::{Features, MoveFeatures, TrainingTask};

/// The evaluations of a game that can be learned, and knowledge with weights that were. Nothing can be learned by default.
pub trait Learnable<G: Game>: Sized {
    /// The evaluations that can be learned.
    fn training_tasks(&self) -> &'static [TrainingTask] {
        &[]
    }

    /// The features of positions of one of them on this board; `None` for an unknown evaluation or a policy.
    fn features(&self, _evaluation: &str, _game: &G) -> Option<Box<dyn Features<G>>> {
        None
    }

    /// The features of moves of one of them that is a policy; `None` for an unknown policy.
    fn move_features(&self, _evaluation: &str, _game: &G) -> Option<Box<dyn MoveFeatures<G>>> {
        None
    }

    /// A copy of this knowledge with a static evaluation of these weights, which were learned as this
    /// [evaluation](Learnable::training_tasks) on this board; `None` if it takes no weights, the default.
    fn with_weights(&self, _evaluation: &str, _game: &G, _weights: &[i16]) -> Option<Self> {
        None
    }

    /// A copy of this knowledge with a static evaluation that was not learned, if the game has both; `None` if it has only one, the
    /// default.
    fn without_weights(&self) -> Option<Self> {
        None
    }
}

/// Nothing but the rules is known.
impl<G: Game> Learnable<G> for Plain {}
