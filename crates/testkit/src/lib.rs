//! Code shared by the tests of several crates: exact values by plain search, toy games, and checks of a game's knowledge.

pub mod chain;
mod exact;
mod knowledge;
pub mod learned;
pub mod mesh;
mod settings;
pub mod toy;
pub mod web;

pub use exact::{Exact, after, listed, proven, random_game};
pub use knowledge::{has_distinct_history_indices, order_agreement, ordered};
pub use settings::PROOF_NEUTRAL;

/// Whether the tests run with all rounds and larger boards: `./test --deep` sets the environment variable `BANYAN_DEEP`.
pub fn is_deep() -> bool {
    std::env::var_os("BANYAN_DEEP").is_some()
}

/// The number of games, positions or cases of a check: `deep` in a deep run, else `quick`.
pub fn rounds<T>(quick: T, deep: T) -> T {
    if is_deep() { deep } else { quick }
}
