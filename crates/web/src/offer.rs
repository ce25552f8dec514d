//! Server capabilities: games, players, engines, and limits.

use banyan_catalog::{Catalog, Players};
use serde::Serialize;

use crate::limits::ServerLimits;

/// The games and players of the server, and its limits.
pub(crate) struct Offer {
    pub(crate) catalog: Catalog,
    /// The presets, and the engines of engines.toml; no files.
    pub(crate) players: Players,
    pub(crate) engines: Vec<EngineView>,
    /// The file of the external engines, for the record of matches.
    pub(crate) engines_file: Option<String>,
    pub(crate) limits: ServerLimits,
}

/// An external engine of engines.toml.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EngineView {
    pub(crate) name: String,
    pub(crate) protocol: &'static str,
}
