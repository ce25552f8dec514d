//! A heuristic that knows nothing, for measuring a search rather than what it is told.

use banyan_core::{FINE, Game, Heuristic, mix};

/// Guesses are spread evenly over so many points to either side of what is banked.
const POINTS: i32 = 3;

/// Guesses a hash of what names the future, so that every program that can compute the key searches the same tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blind;

impl<G: Game> Heuristic<G> for Blind {
    #[inline(always)]
    fn points(&mut self, game: &G, state: &G::State) -> i32 {
        let most = POINTS * FINE;
        let to_go = (mix(game.value_key(state)) % (2 * most as u64 + 1)) as i32 - most;
        i32::from(game.banked(state).0) * FINE + to_go * i32::from(game.to_move(state).sign())
    }
}
