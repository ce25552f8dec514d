//! Tuning of several settings: a match in which one player has other values of them in every pair, chosen from the results so far, and its
//! result.

mod plan;
mod result;
mod run;

pub use plan::{Range, confirmation, tuned_player, tuning};
pub use result::{Confirmation, TuneResult, TunedValue};
pub use run::tune;
