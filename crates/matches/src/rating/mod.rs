//! Ratings of a pool of players: a match whose pairs are chosen from the results so far, and its result.

mod run;
mod summary;
mod terms;

pub use run::{RatingProgress, earlier_rounds, rate, rating_progress};
pub(crate) use summary::NOT_DISTINGUISHABLE;
pub use summary::{RatedPairing, RatedPlayer, RatingSummary, StopReason};
pub use terms::rating_config;
