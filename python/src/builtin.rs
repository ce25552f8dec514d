//! The built-in games and players.

use std::sync::LazyLock;

use banyan_catalog::{Catalog, Players};

/// The games.
pub(crate) static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    Catalog::of(families).expect("the presets of built-in games are players")
});
/// The players.
pub(crate) static PLAYERS: LazyLock<Players> = LazyLock::new(Players::presets);
