//! Shared by the tests of several crates: exact values by plain search, toy games, and checks of a game's knowledge.

pub mod chain;
mod exact;
mod knowledge;
pub mod mesh;
mod settings;
pub mod toy;
pub mod web;

pub use exact::{Exact, after, listed, random_game};
pub use knowledge::{has_distinct_history_indices, order_agreement, ordered};
pub use settings::PROOF_NEUTRAL;
