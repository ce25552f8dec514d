//! What a search that looks only so far ahead takes a position for where it stops.

use crate::Game;

/// Heuristic points in one point of margin: guesses are finer than results.
pub const FINE: i32 = 64;

/// Guesses the final margin of positions at the horizon of a search.
///
/// What a guess adds to the points banked must follow from the future alone: positions with the same
/// [`key`](Game::key), or the same but for a symmetry, get the same guess of what is still to come. Searches remember
/// them by that key.
pub trait Heuristic<G: Game>: Send {
    /// The expected final margin, banked points included, seen by the first side, in units of 1 / [`FINE`] of a point;
    /// what lies outside of the position's [`bounds`](Game::bounds) counts as their end. The position is not over.
    fn points(&mut self, game: &G, state: &G::State) -> i32;
}

impl<G: Game, H: Heuristic<G> + ?Sized> Heuristic<G> for Box<H> {
    #[inline]
    fn points(&mut self, game: &G, state: &G::State) -> i32 {
        (**self).points(game, state)
    }
}
