//! What a position at the horizon is taken for.

use banyan_core::{FINE, Game, Heuristic, mix};

use crate::options::worded;

/// Blind guesses are spread evenly over so many points to either side of what is banked.
const BLIND_POINTS: i32 = 3;

worded! {
    /// What a position at the horizon is taken for. One type for all, so that a search is compiled once per game.
    Guess {
        /// The game's own estimate.
        Own = "own",
        /// The margin as the board stands.
        Standing = "standing",
        /// A hash of what names the future: nothing that helps, for measuring the search by itself.
        Blind = "blind",
    }
}

impl<G: Game> Heuristic<G> for Guess {
    #[inline(always)]
    fn points(&mut self, game: &G, state: &G::State) -> i32 {
        match self {
            Guess::Own => game.estimate(state),
            Guess::Standing => i32::from(game.standing(state).0) * FINE,
            Guess::Blind => {
                let most = BLIND_POINTS * FINE;
                let to_go = (mix(game.value_key(state)) % (2 * most as u64 + 1)) as i32 - most;
                i32::from(game.banked(state).0) * FINE + to_go * i32::from(game.to_move(state).sign())
            }
        }
    }
}
