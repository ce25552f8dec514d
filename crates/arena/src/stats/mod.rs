//! What a match has shown, as pure functions of its counts: scores, Elo, likelihood of superiority, sequential tests and
//! ratings, each with its 95 % interval.
//!
//! A [`MatchCounts`] is counted up game by game; [`MatchCounts::estimate`], [`Sprt::test`] and [`Ratings::fit`] read it. Two promises
//! hold for every possible count, from none to `u64::MAX` in every field: no number that leaves is NaN or infinite, and
//! what the data cannot say is a `None` rather than a large number.

mod bradley_terry;
mod counts;
mod fisher;
mod interval;
mod likelihood;
mod quantile;
mod score;
mod sprt;

pub use bradley_terry::{Anchor, Meeting, Ratings};
pub use counts::{MatchCounts, Outcome, Pentanomial, Wdl};
pub use interval::{Interval, wilson};
pub use score::{Estimate, MorePairs, elo_of_score, score_of_elo};
pub use sprt::{Decision, EloScale, Sprt, SprtState};
