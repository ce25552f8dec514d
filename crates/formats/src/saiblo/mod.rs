//! Messages of Saiblo's Connect Four, and its transcripts.
//!
//! Rows are counted from the top, from 0; a move includes the row of the stone.

mod codec;
pub(crate) mod transcript;

pub use codec::{Numbers, Start, Stone, Turn};
