//! Messages of NBoard 2, games in GGF, and transcripts of both.

mod codec;
mod ggf;
pub(crate) mod transcript;

pub use codec::{FromEngine, Played, ToEngine};
pub use ggf::Ggf;
