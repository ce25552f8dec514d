//! Evaluators for any game, and what a search makes of its settings: playouts, the margin as the board stands, the game's static
//! evaluation, and wrappers around any of them.

mod compose;
mod delay;
mod forced_first;
mod leaf_search;
mod playouts;
mod static_eval;

pub(crate) use compose::Parts;
pub use compose::{EVALUATORS, evaluators_of, leaf_evaluator, playouts};
pub use static_eval::StaticEvaluator;
