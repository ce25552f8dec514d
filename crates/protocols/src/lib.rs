//! Protocols that other programs speak, each as server (Banyan is asked for moves) and, where it makes sense, as client
//! (Banyan asks an engine for moves).

mod check;
mod dialect;
mod engine;
mod engines_file;
pub mod process;
pub mod ugi;

pub use check::{Step, check_engine};
pub use dialect::{Dialect, Options, PROTOCOLS, Protocol};
pub use engine::Engine;
pub use engines_file::read_engines;
