//! The laws every game must obey, for any game to run against itself.
//!
//! [`check`] plays seeded random games and holds every law of [`all`] against the positions met; the first one broken
//! comes back as a [`Violation`] that names the position, the moves that led there and the seed. Searches, matches and
//! pages rely on these laws and on nothing else about a game. What is known of it beyond the rules has laws of its own:
//! [`check_knowledge`], [`check_evaluator`], [`check_policy`].
//!
//! | law | what it asks |
//! |---|---|
//! | `answers-repeat` | the rules give the same answer whenever they are asked |
//! | `moves-legal` | moves are distinct and appended to the list; none exactly when the game is over |
//! | `codes-reread` | a move's code reads back as the move |
//! | `plies-rise` | every play raises the ply, from 0 to at most `max_plies`, and every game ends |
//! | `phase-rises` | the phase of a game stays within 0 and 1 and never falls |
//! | `state-small` | a state takes at most two cache lines |
//! | `state-recomputed` | a state kept up move by move equals the one computed from scratch, key and hash included |
//! | `key-names-future` | positions with equal keys have the same mover, moves, gains and keys to come |
//! | `future-names-key` | positions with the same future have equal keys, whatever their score, ply and history |
//! | `keys-mixed` | every bit of the key varies from position to position |
//! | `moves-reread` | a move's text has no spaces, is its own, and reads back as the move |
//! | `positions-reread` | a position's text is one line and reads back as the position |
//! | `illegal-refused` | whatever text is read as a move or position, the outcome is legal and prints consistently |
//! | `games-reread` | the texts of a game's moves, one after another, read back as the game |
//! | `symmetries-map` | symmetries map positions, moves and play onto each other and leave the canonical key alone |
//! | `margins-in-range` | results and scores stay in the range of margins |
//! | `bounds-hold` | bounds stay in the range, are exact at the end and never contradicted by play or by a full search |
//! | `pictures-fit` | a picture has as many cells, edges and labels as its rows and columns need |
//! | `options-reread` | the printed options give the same game back |

pub mod evaluators;
mod future;
mod keys;
pub mod knowledge;
mod order;
pub mod policies;
mod random_game;
mod symmetry;
mod text;
mod value;

pub use evaluators::check_evaluator;
pub use knowledge::check_knowledge;
pub use policies::{check_policy, check_uniform_policy};
pub use random_game::RandomGame;

use crate::Notation;

/// What a law finds: nothing, or a sentence on what is wrong and where.
pub type Finding = Result<(), String>;

/// One law: held against a game and random games of it.
pub struct Law<G: Notation> {
    /// The name, as in the table of this module.
    pub name: &'static str,
    /// Looks for a place where the law is broken.
    pub test: fn(&G, &[RandomGame<G>]) -> Finding,
}

/// A law that a game broke: which one, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Name of the law.
    pub law: &'static str,
    /// What was found, with the position and the seed.
    pub message: String,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.law, self.message)
    }
}

impl std::error::Error for Violation {}

/// Every law. Later ones rely on earlier ones.
pub fn all<G: Notation>() -> [Law<G>; 19] {
    let law = |name, test| Law { name, test };
    [
        law("answers-repeat", order::answers_repeat),
        law("moves-legal", order::moves_legal),
        law("codes-reread", order::codes_reread),
        law("plies-rise", order::plies_rise),
        law("phase-rises", order::phase_rises),
        law("state-small", order::state_small),
        law("state-recomputed", keys::state_recomputed),
        law("key-names-future", keys::key_names_future),
        law("future-names-key", future::future_names_key),
        law("keys-mixed", keys::keys_mixed),
        law("moves-reread", text::moves_reread),
        law("positions-reread", text::positions_reread),
        law("illegal-refused", text::illegal_refused),
        law("games-reread", text::games_reread),
        law("symmetries-map", symmetry::symmetries_map),
        law("margins-in-range", value::margins_in_range),
        law("bounds-hold", value::bounds_hold),
        law("pictures-fit", text::pictures_fit),
        law("options-reread", text::options_reread),
    ]
}

/// Plays `games` random games (at least one) with the seeds from `seed` on, and holds every law against them.
///
/// The same arguments give the same answer. Twenty games find most mistakes and take a few hundredths of a second.
///
/// # Errors
/// The first law found broken.
pub fn check<G: Notation>(game: &G, games: u32, seed: u64) -> Result<(), Violation> {
    let games = random_games(game, games, seed);
    for law in all::<G>() {
        (law.test)(game, &games).map_err(|message| Violation { law: law.name, message })?;
    }
    Ok(())
}

/// At least one random game, with the seeds from `seed` on.
fn random_games<G: Notation>(game: &G, games: u32, seed: u64) -> Vec<RandomGame<G>> {
    let seeds = (0..u64::from(games.max(1))).map(|i| seed.wrapping_add(i));
    seeds.map(|seed| RandomGame::play(game, seed)).collect()
}
