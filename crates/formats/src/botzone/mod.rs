//! Messages of Botzone's JSON for Reversi on 8x8, and its transcripts.

mod codec;
pub(crate) mod transcript;

pub use codec::{Input, KEEP_RUNNING, Place, Response};
