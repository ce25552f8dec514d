//! Pairs of games between players that are named as text: openings, the games, and the line of a record for each.

mod engine_logs;
mod error;
mod host;
mod live_games;
mod opening_spec;
pub mod quiet;
mod record;
mod supply;

pub use engine_logs::{EngineLogs, LoggedGames};
pub use error::MatchError;
pub use host::{Host, PairOrder, Seated};
pub use live_games::{LiveGame, LiveGames};
pub use opening_spec::{OpeningLine, OpeningLines, OpeningSpec};
pub use record::{EndingKind, GameLine, SideName, Winner};
pub(crate) use supply::usual_plies;
