//! Game protocols, each as a server (Banyan is the engine) and, where useful, as a client (Banyan runs an external
//! engine).
//!
//! Most protocols have a codec (messages as types), a `serve` function and a [`ClientProtocol`]. A server takes a game, a
//! [`Setup`] and two streams; nothing here prints anywhere else.

pub mod analysis;
pub mod botzone;
pub mod ccgc;
mod check;
mod client;
mod engine;
mod engines_file;
mod game_file;
pub mod gtp;
mod hosted_game;
mod inbox;
mod lines;
mod move_lines;
pub mod nboard;
mod obf;
mod openspiel;
pub mod process;
mod protocol;
mod records;
pub mod saiblo;
pub mod sau;
mod scored_file;
mod served;
pub mod strategy;
mod transcript;
pub mod ugi;
mod utf8;
pub mod wthor;

pub use check::{CheckEvent, Step, check_engine};
pub use client::{ClientProtocol, Options, StartError};
pub use engine::Engine;
pub use engines_file::{EngineEntry, library_at_path, library_engine, read_engines};
pub use game_file::{GameFile, Recorded};
pub use protocol::{Openings, PROTOCOLS, Protocol};
pub use records::{FileBounds, read_transcripts};
pub use scored_file::ScoredFile;
pub use served::{ServeError, Setup};
pub use transcript::Transcript;

/// The built-in games, for tests.
#[cfg(test)]
fn builtin() -> banyan_catalog::Catalog {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    banyan_catalog::Catalog::of(families).expect("presets that are players")
}
