//! Readers and writers of all formats.

mod forms;
mod parsers;

use std::sync::LazyLock;

use banyan_catalog::Catalog;

/// The built-in games.
fn catalog() -> &'static Catalog {
    static CATALOG: LazyLock<Catalog> = LazyLock::new(|| {
        let families = [
            banyan_connect_four_engine::family(),
            banyan_reversi_engine::family(),
            banyan_dots_and_boxes_engine::family(),
        ];
        Catalog::of(families).expect("presets that are players")
    });
    &CATALOG
}
