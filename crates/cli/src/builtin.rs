//! The games that come with Banyan.

use banyan_catalog::Catalog;

/// Connect Four, Reversi, and Dots and Boxes.
pub fn builtin() -> Catalog {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    Catalog::of(families).expect("the presets of built-in games are players")
}
