//! Learning an evaluation or a policy from games that Banyan plays against itself: a folder with the plan, the games, the state of the fit and
//! the weights, which goes on where it was interrupted.

mod boards;
mod chart;
mod error;
mod fit;
mod folder;
mod lesson;
mod plan;
mod self_play;

pub use banyan_learn::MeanErrors;
pub use banyan_search::Target;
pub use error::TrainingError;
pub use fit::{Epoch, Fitted, Unit};
pub use folder::TrainingFolder;
pub use lesson::{Lesson, LessonSize, Position, Selection, Word};
pub(crate) use lesson::{LessonFeatures, TypedLesson};
pub use plan::TrainingPlan;
pub use self_play::play_games;

/// Hears how training goes on, and may stop it. What is done so far is kept.
pub trait TrainingObserver {
    /// Whether to stop; asked often, also during a move.
    fn stopped(&self) -> bool {
        false
    }

    /// So many of the games are played.
    fn played(&self, _games: u64, _of: u64) {}

    /// A pass over the positions is done.
    fn fitted(&self, _epoch: &Epoch) {}
}
