//! All laws of the rules, checked one after the other.

use banyan_core::Notation;

use super::random_game::{RandomGame, random_games};
use super::violation::{Finding, Violation};
use super::{future, keys, order, symmetry, text, value};

/// One law, which checks a game on random games.
pub struct Law<G: Notation> {
    /// The name, as in the table of this crate.
    pub name: &'static str,
    /// Returns the first violation.
    pub test: fn(&G, &[RandomGame<G>]) -> Finding,
}

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
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction.rs"));
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/subtraction_text.rs"));
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
