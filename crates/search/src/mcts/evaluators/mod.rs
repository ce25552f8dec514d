//! Evaluators for any game: playouts, static margin, static evaluation, and wrappers; and their composition from the
//! settings.

mod compose;
mod delay;
mod exact_leaves;
mod forced_first;
mod inner;
mod leaf_search;
pub(crate) mod learning;
mod planes;
mod playouts;
mod static_eval;

pub(crate) use compose::Parts;
pub use compose::{EVALUATORS, evaluators_of, leaf_evaluator, playouts};
pub(crate) use planes::PlaneLeaves;
pub use static_eval::StaticEvaluator;
