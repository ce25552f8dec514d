//! What players of Connect Four speak on Saiblo, where Tsinghua's courses hold their matches.
//!
//! Numbers come in as plain text: once the size of the board and its hole, then for every turn the last stone, the tops of
//! the columns and the board as the asked side sees it. A move goes out as `row column` behind four bytes with its length.
//! Rows are counted from the top, from 0; a stone's row belongs to the move.

mod client;
mod codec;
mod server;

pub use client::Client;
pub use codec::{Numbers, Start, Stone, Turn};
pub use server::serve;
pub(crate) use server::{answer, take_up};
