//! Evaluations at the horizon.

use banyan_core::{FINE, Game, Knowledge, mix};

use crate::options::words;

/// Hashes are uniform over so many points to either side of the score.
const HASH_POINTS: i32 = 3;

words! {
    /// The value of a position at the horizon. One type for all, so that a search is compiled once per game.
    HorizonEval {
        /// The static evaluation.
        Static = "static",
        /// The margin if the game stopped here.
        Margin = "margin",
        /// A hash of the position: no knowledge, for measuring the search by itself.
        Hash = "hash",
    }
}

impl HorizonEval {
    /// The expected final margin, seen by the first side, in units of 1 / [`FINE`] of a point.
    #[inline(always)]
    pub(super) fn points<G: Game>(self, knowledge: &mut impl Knowledge<G>, game: &G, state: &G::State) -> i32 {
        match self {
            HorizonEval::Static => knowledge.static_eval(game, state),
            HorizonEval::Margin => i32::from(knowledge.static_margin(game, state).0) * FINE,
            HorizonEval::Hash => {
                let most = HASH_POINTS * FINE;
                let to_come = (mix(knowledge.solver_key(game, state)) % (2 * most as u64 + 1)) as i32 - most;
                i32::from(game.score(state).0) * FINE + to_come * i32::from(game.to_move(state).sign())
            }
        }
    }
}
