//! The Go Text Protocol 2 for Reversi: the server is for Sabaki, GoGui, Quarry and match runners, the client for Edax,
//! Egaroucid and GRhino.
//!
//! Rows are counted from the top, unlike those of a Go board. Columns omit `i`, as always in GTP, which matters on 10x10
//! only. A side that cannot place a disc must pass; an omitted pass is accepted.

mod client;
mod clock;
mod server;

pub use banyan_formats::gtp::{Color, Command, Reply, ReplyReader, Vertex};
pub use client::Client;
pub use server::serve;
