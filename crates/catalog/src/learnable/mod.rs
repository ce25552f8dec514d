//! Evaluations to learn in a game, and the positions that are not learned from.

mod excluded;
mod trainable;

pub use excluded::Excluded;
pub use trainable::DRAWN;
pub use trainable::EXPECTED;
pub use trainable::NEXT;
pub use trainable::NUMBER;
pub use trainable::PROVEN;
pub(crate) use trainable::TypedTrainable;
pub use trainable::VISITS;
pub use trainable::{ModelSize, Position, Selection, Trainable, Word};
