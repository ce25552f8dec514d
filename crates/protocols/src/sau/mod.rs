//! The protocol of the SAU game platform for Dots and Boxes, which Chinese computer championships use.
//!
//! A move is a whole turn: every edge but the last completes a box, and the last completes none unless it ends the game.

mod client;
mod server;

pub use banyan_formats::sau::{Edge, FromEngine, LONGEST_LINE, ToEngine, Turn};
pub use client::Client;
pub use server::serve;
