//! Commands, replies and moves of the Go Text Protocol 2 for Reversi, and its transcripts.
//!
//! Rows are counted from the top, unlike those of a Go board. Columns omit `i`, as always in GTP, which matters on 10x10
//! only.

mod codec;
pub(crate) mod transcript;
mod vertex;

pub use codec::{Command, Reply, ReplyReader};
pub use vertex::{Color, Vertex, column_letter};
