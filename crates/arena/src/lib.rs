//! Fair matches between players, and sound statistics of their results.

mod adaptive;
mod driver;
mod heartbeat;
mod in_order;
mod openings;
mod play;
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
pub use schedule::{Format, PairPlan, Schedule, ScheduleConfig, Shard};
pub use timer::THREAD_CPU;
