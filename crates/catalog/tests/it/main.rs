//! The catalog with the built-in games: sessions, matches, records and what is written for others to read.

mod board_ranges;
mod book;
mod exploration;
mod exports;
mod fixture;
mod lost_games;
mod matches;
mod own_game;
mod parsers;
mod players;
mod summary;
mod sweeps;
mod texts;
mod thread_races;
mod threads;
mod training;

use banyan_catalog::Catalog;

/// The built-in games.
fn catalog() -> Catalog {
    let families =
        [banyan_connect_four_family::family(), banyan_reversi_family::family(), banyan_dots_and_boxes_family::family()];
    Catalog::of(families).expect("presets that are players")
}
