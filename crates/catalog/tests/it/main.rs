//! The catalog with the built-in games: sessions, boards, players and texts.

mod board_ranges;
mod doors;
mod every_move;
mod names;
mod own_game;
mod players;
mod texts;
mod threads;

use banyan_catalog::Catalog;

/// The built-in games.
fn catalog() -> Catalog {
    let families =
        [banyan_connect_four_engine::family(), banyan_reversi_engine::family(), banyan_dots_and_boxes_engine::family()];
    Catalog::of(families).expect("presets that are players")
}
