//! Learning an evaluation or a policy from self-play games, and opening books made by searches: folders and files with their plan, which
//! resume after an interruption.

mod boards;
pub mod book;
mod chart;
mod epoch;
mod error;
mod excluded;
mod fit;
mod folder;
mod games;
mod measured;
mod merge;
mod plan;
mod self_play;

pub use banyan_fit::MeanErrors;
pub use banyan_inference::Target;
pub use epoch::{Epoch, Unit};
pub use error::TrainingError;
pub use fit::Fitted;
pub use folder::TrainingFolder;
pub use merge::{holds_training, merge_parts};
pub use plan::TrainingPlan;
pub use self_play::play_games;

/// Receives the progress of a training, and can stop it; finished games and epochs are kept.
pub trait TrainingObserver: Sync {
    /// Whether to stop; called every few milliseconds, also during a move.
    fn stopped(&self) -> bool {
        false
    }

    /// `games` of `of` games are played.
    fn played(&self, _games: u64, _of: u64) {}

    /// An epoch is done.
    fn fitted(&self, _epoch: &Epoch) {}

    /// `positions` of `of` positions with exact scores are measured.
    fn measured(&self, _positions: u64, _of: u64) {}
}
