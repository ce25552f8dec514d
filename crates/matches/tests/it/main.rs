//! Matches, sweeps and reports with the built-in games.

mod ablations;
mod exports;
mod fixture;
mod listing;
mod lost_games;
mod matches;
mod parsers;
mod summary;
mod sweeps;

use banyan_catalog::Catalog;

/// The built-in games.
fn catalog() -> Catalog {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    Catalog::of(families).expect("presets that are players")
}
