//! Statistics of a match as pure functions of its counts: scores, Elo, likelihood of superiority, sequential tests and
//! ratings, each with its 95 % interval.
//!
//! A [`MatchCounts`] accumulates game by game; [`MatchCounts::estimate`], [`Sprt::test`] and [`Ratings::fit`] read it.
//! For every possible count, from 0 to `u64::MAX` in every field, no result is NaN or infinite, and what the data do
//! not determine is `None` rather than a large number.

mod bradley_terry;
mod counts;
mod fisher;
mod interval;
mod likelihood;
mod multiple;
mod quantile;
mod response;
mod score;
mod sprt;

pub use bradley_terry::{Anchor, Meeting, Ratings, Residual};
pub use counts::{MatchCounts, Outcome, Pentanomial, Wdl};
pub use interval::{Interval, mean, wilson};
pub use multiple::holm;
pub(crate) use quantile::normal_quantile;
pub use response::{Curve, PointMeans, Responses, Shape, Surface, detectable, detectable_at};
pub use score::{Estimate, MorePairs, elo_of_score, score_of_elo};
pub use sprt::{Decision, EloScale, Sprt, SprtState};
