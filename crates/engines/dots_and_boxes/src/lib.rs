//! Dots and Boxes: its searches, compiled here for every board word, and everything that is data about the game: presets, levels, facts for the page
//! and for measurements.

mod family;
mod kit;
mod levels;

pub use family::family;
pub use kit::DotsAndBoxesKit;
