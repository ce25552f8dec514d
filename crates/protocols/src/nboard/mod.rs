//! NBoard 2, the protocol of the Reversi board NBoard and of the engines NTest and Edax.
//!
//! The program with the board says what the game is and asks for a move (`go`) or for hints; the engine never plays its
//! own move, but waits to be told. `ping` ends whatever the engine thinks about.

mod client;
mod codec;
mod ggf;
mod server;

pub use client::Client;
pub use codec::{FromEngine, Played, ToEngine};
pub use ggf::Ggf;
pub use server::serve;
