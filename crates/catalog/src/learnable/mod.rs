//! Evaluations and policies to learn in a game, and the positions that are not learned from.

mod excluded;
mod trainable;

pub use excluded::Excluded;
pub use trainable::{DRAWN, EXPECTED, ModelSize, NEXT, NUMBER, PROVEN, Position, Selection, Trainable, VISITS, Word};
