//! Games played in a folder and resumed after an interruption: matches, sweeps, tunings, ratings and ladders, with one frame, their
//! records and their reports.

mod config;
mod evidence;
pub mod exports;
mod folder;
pub mod frame;
mod fresh_folder;
pub mod ladder;
mod listing;
mod lost_game;
mod lost_games;
mod merge;
mod pairing_summary;
mod player_summary;
mod published;
pub mod rating;
mod run;
mod spending;
mod standing;
mod stats_event;
mod summary;
pub mod sweep;
mod sweep_config;
pub mod tune;
mod tune_config;
mod verify;
mod warnings;

pub use config::{ClockKind, Entrant, MadeBy, MatchConfig, MatchFormat, RatingTerms, SprtBounds};
pub use evidence::Evidence;
pub use folder::{MatchFolder, Resumed, config_of, holds_match, read_folder, read_games};
pub use fresh_folder::fresh_folder;
pub use listing::{GameFilter, GameResult};
pub use lost_game::{LossCause, LossReview, LostGame, ValueDrop};
pub use lost_games::{Drops, LossReviewer, kept_drops};
pub use merge::Merged;
pub use pairing_summary::{FEWEST_PAIRS, PairingSummary, TrailPoint};
pub use player_summary::PlayerSummary;
pub use run::{Batches, Match, MatchWatch, Played, Variant};
pub use spending::Spending;
pub use standing::{Leader, Standing};
pub use stats_event::{PairingStanding, StatsEvent};
pub use summary::{DoneEvent, Summary};
pub use sweep_config::{Quantity, SweepConfig, Varied};
pub use tune_config::{TuneConfig, TuneMethod, TunedSetting};
pub use warnings::Warning;
