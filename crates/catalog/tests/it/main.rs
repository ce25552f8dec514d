//! The catalog with the built-in games: sessions, boards, players and texts.

mod board_ranges;
mod own_game;
mod players;
mod texts;
mod threads;

use banyan_catalog::Catalog;

/// The built-in games.
fn catalog() -> Catalog {
    let families =
        [banyan_connect_four_family::family(), banyan_reversi_family::family(), banyan_dots_and_boxes_family::family()];
    Catalog::of(families).expect("presets that are players")
}
