//! Matches between players that are named as text: configuration, the games played, and their records.

mod config;
mod evidence;
mod record;
mod spending;
mod summary;
mod warnings;

pub use config::{ClockKind, Entrant, MadeBy, MatchConfig, MatchFormat, SprtBounds};
pub use evidence::Evidence;
pub use record::{EndingKind, GameLine, SideName, Winner};
pub use spending::Spending;
pub use summary::{DoneEvent, PairingSummary, PlayerSummary, Summary, TrailPoint};
pub use warnings::Warning;
