//! Protocols that other programs speak, each as server (Banyan is asked for moves) and, where it makes sense, as client
//! (Banyan asks an engine for moves).
//!
//! Every protocol has its messages as types that are read and printed, and a `serve` that answers them. A server is
//! handed a game, a [`Setup`] and two streams; nothing here prints anywhere else.

pub mod analysis;
pub mod botzone;
pub mod gtp;
mod inbox;
mod lines;
pub mod nboard;
pub mod saiblo;
pub mod sau;
mod served;
mod table;

pub use served::{ServeError, Setup};
