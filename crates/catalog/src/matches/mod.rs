//! Matches between players that are named as text: configuration, the games played, and their records.

mod board_range;
mod config;
mod error;
mod evidence;
mod folder;
mod host;
mod merge;
mod opening_spec;
mod pairing_summary;
mod player_summary;
mod quiet;
mod record;
mod run;
mod spending;
mod standing;
mod summary;
mod supply;
mod warnings;

pub use board_range::BoardRange;
pub use config::{ClockKind, Entrant, MadeBy, MatchConfig, MatchFormat, SprtBounds};
pub use error::MatchError;
pub use evidence::Evidence;
pub use folder::{MatchFolder, Resumed, read_folder, read_games};
pub(crate) use host::Hosting;
pub use host::{Host, PairOrder, Seated};
pub use merge::Merged;
pub use opening_spec::{OpeningLine, OpeningLines, OpeningSpec};
pub use pairing_summary::{PairingSummary, TrailPoint};
pub use player_summary::PlayerSummary;
pub use record::{EndingKind, GameLine, SideName, Winner};
pub use run::{Match, MatchWatch, Played};
pub use spending::Spending;
pub use standing::Standing;
pub use summary::{DoneEvent, Summary};
pub(crate) use supply::usual_plies;
pub use warnings::Warning;
