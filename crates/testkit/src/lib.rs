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

/// Which run of the tests this is: `quick`, or `deep` if the environment variable `BANYAN_DEEP` is set, as `./test --deep` does.
/// For the number of games, positions or boards of a check, and for boards that take long.
pub fn rounds<T>(quick: T, deep: T) -> T {
    if std::env::var_os("BANYAN_DEEP").is_some() { deep } else { quick }
}
