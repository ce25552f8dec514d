//! Evaluations at the horizon.

use banyan_core::{FINE, Game, Knowledge, mix};

use crate::options::words;

/// Hashes are uniform within this number of points to either side of the score.
const HASH_POINTS: i32 = 3;

words! {
    /// The value of a position at the horizon. One type for all kinds, so that a search is compiled once per game.
    HorizonEval {
        /// The static evaluation.
        Static = "static",
        /// The margin if the game stopped here.
        Margin = "margin",
        /// A hash of the position: no knowledge, for measuring the search alone.
        Hash = "hash",
    }
}

impl HorizonEval {
    /// The expected final margin, seen by the first side, in units of 1 / [`FINE`] of a point; except for hashes, with an error of at most
    /// `noise` such units.
    #[inline(always)]
    pub(super) fn points<G: Game>(
        self,
        knowledge: &mut impl Knowledge<G>,
        game: &G,
        state: &G::State,
        noise: i32,
    ) -> i32 {
        let points = match self {
            HorizonEval::Static => knowledge.static_eval(game, state),
            HorizonEval::Margin => i32::from(knowledge.static_margin(game, state).0) * FINE,
            HorizonEval::Hash => {
                return i32::from(game.score(state).0) * FINE + hashed(knowledge, game, state, 0, HASH_POINTS * FINE);
            }
        };
        if noise == 0 { points } else { points + eval_error(knowledge, game, state, noise) }
    }
}

/// A hash of the position, uniform from `-most` to `most`, for the side to move, seen by the first side.
#[inline(always)]
fn hashed<G: Game>(knowledge: &impl Knowledge<G>, game: &G, state: &G::State, salt: u64, most: i32) -> i32 {
    let drawn = (mix(knowledge.solver_key(game, state) ^ salt) % (2 * most as u64 + 1)) as i32 - most;
    drawn * i32::from(game.to_move(state).sign())
}

/// The error of an evaluation that is wrong by up to `most` units of 1 / [`FINE`] of a point: equal for a position at every call and for
/// symmetric positions, and independent of the hash evaluation.
pub(crate) fn eval_error<G: Game>(knowledge: &impl Knowledge<G>, game: &G, state: &G::State, most: i32) -> i32 {
    hashed(knowledge, game, state, 0x6e6f_6973_6500, most)
}
