//! The Go Text Protocol 2 as programs for Reversi speak it: for Sabaki, GoGui, Quarry and match runners on the one side,
//! for Edax and Egaroucid on the other.
//!
//! Rows are counted from the top, unlike those of a Go board. Columns leave out `i`, as everywhere in this protocol, which
//! shows on 10x10 only. A side that cannot place a disc has to pass, and whoever leaves the pass out is understood.

mod client;
mod clock;
mod codec;
mod server;
mod vertex;

pub use client::Client;
pub use codec::{Command, Reply, ReplyReader};
pub use server::serve;
pub use vertex::{Color, Vertex};
