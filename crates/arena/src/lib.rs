//! Fair matches between players, and sound statistics of their results.
//!
//! [`play_match`] plays pairs of games between two players in this process and returns their [counts](stats::MatchCounts), from which
//! [`stats`] computes Elo with its interval. [`play_game`] plays a single game. Larger matches combine a [`Schedule`], an
//! [`OpeningBook`] and [`drive`], which plays pairs on several threads.

mod adaptive;
mod driver;
mod heartbeat;
mod in_order;
mod openings;
mod play;
mod play_match;
mod schedule;
pub mod stats;
mod timer;
pub mod tuning;

pub use adaptive::{AdaptiveConfig, AdaptivePairing, Neighbours, Order, Pursuit, neighbours};
pub use driver::{StopSignal, drive};
pub use heartbeat::Heartbeat;
pub use in_order::InOrder;
pub use openings::{Flaw, Judge, Opening, OpeningBook, check_openings};
pub use play::{Allowance, Ending, GameClock, PlayedGame, PlayedMove, Setup, Terms, play_game};
pub use play_match::{MatchConditions, play_match};
pub use schedule::{Format, PairPlan, Schedule, ScheduleConfig, Shard};
pub use timer::{PROCESS_CPU, THREAD_CPU};
