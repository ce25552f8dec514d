//! Laws that every game must satisfy, as checks on random games, for the tests of Banyan and of its users.
//!
//! [`check`] plays seeded random games and checks every law of [`all`] on their positions; it returns the first
//! violation as a [`Violation`] with the position, the moves that led there and the seed. Searches and matches rely on
//! these laws and on nothing else about a game. Knowledge beyond the rules has its own laws: [`check_knowledge`],
//! [`check_evaluator`], [`check_policy`].
//!
//! | law | requirement |
//! |---|---|
//! | `answers-repeat` | repeated calls of the rules return the same results |
//! | `moves-legal` | moves are distinct, as many as are counted, and appended to the list; none exactly when the game is over |
//! | `codes-round-trip` | a move's code decodes to the move |
//! | `plies-rise` | every play raises the ply, from 0 to at most `max_plies`, and not the plies left, and every game ends |
//! | `phase-rises` | the phase of a game stays within 0 and 1 and never falls |
//! | `state-small` | a state takes at most two cache lines |
//! | `state-recomputed` | an incrementally updated state equals the one computed from scratch, key and hash included |
//! | `key-determines-future` | positions with equal keys have the same mover, moves, gains and keys to come |
//! | `future-determines-key` | positions with the same future have equal keys, whatever their score, ply and history |
//! | `keys-mixed` | every bit of the key varies from position to position |
//! | `moves-round-trip` | a move's text has no spaces, is unique in its position, and parses back to the move |
//! | `positions-round-trip` | a position's text is one line and parses back to the position |
//! | `illegal-refused` | any text that parses as a move or position gives a legal one that prints consistently |
//! | `games-round-trip` | the texts of a game's moves in sequence parse back to the game |
//! | `symmetries-map` | symmetries map positions, moves and play onto each other and keep the canonical key |
//! | `margins-in-range` | results and scores stay in the range of margins |
//! | `bounds-hold` | bounds stay in the range, are exact at the end and never contradicted by play or by a full search |
//! | `pictures-fit` | a picture has as many cells, edges and labels as its rows and columns need |
//! | `options-round-trip` | the printed options make the same game |

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

use banyan_core::Notation;

/// The result of a law: nothing, or a sentence on what is wrong and where.
pub type Finding = Result<(), String>;

/// One law, which checks a game on random games.
pub struct Law<G: Notation> {
    /// The name, as in the table of this crate.
    pub name: &'static str,
    /// Returns the first violation.
    pub test: fn(&G, &[RandomGame<G>]) -> Finding,
}

/// A violated law and the position that violates it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Name of the law.
    pub law: &'static str,
    /// The violation, with the position and the seed.
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
        law("codes-round-trip", order::codes_round_trip),
        law("plies-rise", order::plies_rise),
        law("phase-rises", order::phase_rises),
        law("state-small", order::state_small),
        law("state-recomputed", keys::state_recomputed),
        law("key-determines-future", keys::key_determines_future),
        law("future-determines-key", future::future_determines_key),
        law("keys-mixed", keys::keys_mixed),
        law("moves-round-trip", text::moves_round_trip),
        law("positions-round-trip", text::positions_round_trip),
        law("illegal-refused", text::illegal_refused),
        law("games-round-trip", text::games_round_trip),
        law("symmetries-map", symmetry::symmetries_map),
        law("margins-in-range", value::margins_in_range),
        law("bounds-hold", value::bounds_hold),
        law("pictures-fit", text::pictures_fit),
        law("options-round-trip", text::options_round_trip),
    ]
}

/// Plays `games` random games (at least one) with the seeds from `seed` on, and checks every law on them.
///
/// Deterministic. Twenty games find most mistakes and take a few hundredths of a second.
///
/// # Errors
/// The first violation found.
///
/// ```
/// # mod rules {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../core/doc/subtraction.rs"));
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../core/doc/subtraction_text.rs"));
/// # }
/// # use rules::Subtraction;
/// banyan_laws::check(&Subtraction { stones: 21 }, 20, 1).unwrap_or_else(|violation| panic!("{violation}"));
/// ```
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
