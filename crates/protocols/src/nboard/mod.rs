//! NBoard 2, the protocol of the Reversi board NBoard and of the engines NTest and Edax.
//!
//! The GUI sends the game and requests a move (`go`) or hints. The engine does not play its own move until the GUI sends
//! it back. `ping` ends a running search.

mod client;
mod server;

pub use banyan_formats::nboard::{FromEngine, Ggf, Played, ToEngine};
pub use client::Client;
pub use server::serve;
