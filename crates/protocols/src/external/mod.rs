//! External engines: the table of protocols, engines.toml, engines as players, and the check of an engine.

mod check;
mod engine;
mod engines_file;
mod protocol;

pub use check::{CheckEvent, Step, check_engine};
pub use engine::Engine;
pub use engines_file::{EngineEntry, library_at_path, library_engine, read_engines};
pub use protocol::{Openings, PROTOCOLS, Protocol};
