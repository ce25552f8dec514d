//! The Connect Four protocol of Saiblo, the platform of Tsinghua's courses.
//!
//! Input is plain text: the board size and the hole once, then for every turn the last stone, the column tops and the
//! board from the viewpoint of the side to move. A move is sent as `row column` after a length prefix of four bytes. Rows
//! are counted from the top, from 0; a move includes the row of the stone.

mod client;
mod server;

pub use banyan_formats::saiblo::{Numbers, Start, Stone, Turn};
pub use client::Client;
pub use server::serve;
pub(crate) use server::{answer, take_up};
