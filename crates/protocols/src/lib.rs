//! Protocols that other programs speak, each as server (Banyan is asked for moves) and, where it makes sense, as client
//! (Banyan asks an engine for moves).

mod dialect;
mod engine;
pub mod process;
pub mod ugi;

pub use dialect::{Dialect, Options, PROTOCOLS, Protocol};
pub use engine::Engine;
