//! Game protocols, each as a server (Banyan is the engine) and, where useful, as a client (Banyan runs an external
//! engine).
//!
//! Most protocols have messages as types (of [`banyan_formats`]), a `serve` function and a [`ClientProtocol`]. A server
//! takes a game, a [`Setup`] and two streams; nothing here prints anywhere else.

pub mod analysis;
pub mod botzone;
mod client;
mod external;
pub mod gtp;
pub mod nboard;
pub mod process;
pub mod saiblo;
pub mod sau;
mod server;
pub mod strategy;
pub mod ugi;

pub use client::{ClientProtocol, Options, StartError};
pub use external::{
    CheckEvent, Engine, EngineEntry, Openings, PROTOCOLS, Protocol, Step, check_engine, library_at_path,
    library_engine, read_engines,
};
pub use server::{ServeError, Setup};

/// The built-in games, for tests.
#[cfg(test)]
fn builtin() -> banyan_catalog::Catalog {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    banyan_catalog::Catalog::of(families).expect("presets that are players")
}
