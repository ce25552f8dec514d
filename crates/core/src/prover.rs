//! Proofs by null windows: the interface of a game's own exact solver.

use crate::{Bounds, Game};

/// Called with the positions that a prover has visited in all; returns the count at which to call again, or `None` to stop.
pub type Poll<'a> = &'a mut dyn FnMut(u64) -> Option<u64>;

/// Proves statements about final margins under best play. What it has proven it keeps in a table, so that a proof that was
/// stopped resumes there.
pub trait Prover<G: Game>: Send {
    /// Whether the side to move can reach a final margin of at least `points`, score so far included and seen by that
    /// side; the game is not over. Returns proven bounds of the final margin, seen by `First`, which decide the question
    /// and may be narrower; `None` if `poll` stopped it. `poll` is called at least once.
    fn reaches(&mut self, game: &G, state: &G::State, points: i16, poll: Poll<'_>) -> Option<Bounds>;

    /// A guess of the final margin under best play, score so far included and seen by the side to move: where the search for it
    /// begins. Takes a few milliseconds at most. `None` by default.
    fn guess(&mut self, _game: &G, _state: &G::State) -> Option<i16> {
        None
    }

    /// A better guess than `guess` of a margin within the bounds `known`, by a search that proves nothing and lasts until `poll`, as in
    /// [`reaches`](Prover::reaches), stops it; `guess` by default.
    fn refine(&mut self, _game: &G, _state: &G::State, guess: i16, _known: Bounds, _poll: Poll<'_>) -> i16 {
        guess
    }

    /// The margin to test next for the value of a position, more than `lower` and at most `upper`, all seen by the side to move; `None`, as
    /// by default, for the winner first and then the middle.
    fn window(&self, _lower: i16, _upper: i16) -> Option<i16> {
        None
    }

    /// Positions visited so far.
    fn nodes(&self) -> u64;

    /// Forgets everything proven.
    fn forget(&mut self);

    /// A copy for search thread `thread`, from 1, which shares the table, tries moves in another order, and counts positions
    /// from 0.
    fn fork(&self, thread: u32) -> Box<dyn Prover<G>>;

    /// Prepares the table for searches of minutes, in which it may take longer to grow if it is faster to read then. Without effect
    /// by default.
    fn prepare_for_long_searches(&mut self) {}

    /// Bytes that the table has grown to.
    fn memory_bytes(&self) -> u64;
}
