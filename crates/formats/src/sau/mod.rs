//! Messages of the SAU game platform for Dots and Boxes, and its transcripts.
//!
//! A move is a whole turn: every edge but the last completes a box, and the last completes none unless it ends the game.

mod codec;
pub(crate) mod transcript;

pub use codec::{Edge, FromEngine, LONGEST_LINE, ToEngine, Turn};
