//! Matches between players that are named as text: configuration, the games played, and their records.

mod config;
mod record;

pub use config::{ClockKind, Entrant, MadeBy, MatchConfig, MatchFormat, SprtBounds};
pub use record::{EndingKind, GameLine, SideName, Winner};
