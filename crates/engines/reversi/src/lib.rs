//! Reversi: its searches, compiled here for every board word, and everything that is data about the game: presets, levels, facts for the page
//! and for measurements.

mod corner_bonus;
mod family;
mod kit;
mod levels;
mod openings;
mod report;

pub use family::family;
pub use kit::ReversiKit;
