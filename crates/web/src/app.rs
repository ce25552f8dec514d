//! What all requests share.

use banyan_catalog::{Catalog, Players};

use crate::about::EngineView;
use crate::limits::ServerLimits;

/// The games and players of the server, its limits, and what runs.
pub(crate) struct App {
    pub(crate) catalog: Catalog,
    /// The presets, and the engines of engines.toml: no files.
    pub(crate) players: Players,
    pub(crate) engines: Vec<EngineView>,
    pub(crate) limits: ServerLimits,
}
