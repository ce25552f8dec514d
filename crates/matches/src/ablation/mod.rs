//! Ablations: variants of a player, each with a feature switched off or a candidate switched on, against the player itself, at several
//! budgets in one run and judged together.

mod plan;
mod result;

pub use plan::{AskedRow, AskedRows, SwitchedOff, asked_rows, variants};
pub use result::{AblationResult, Detectable, RowResult, RowVerdict};
