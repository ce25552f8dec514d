//! Features of positions whose weights are learned.

use crate::Game;

/// Sparse features of a position: the learned value of the position is the sum of the weights of its features.
///
/// Features that are the same for a side and its opponent after a symmetry of the board should have the same number, so that
/// each weight is learned from more positions.
pub trait Features<G: Game>: Send + Sync {
    /// A name of the numbering: weights of another layout mean something else, and are refused.
    fn layout(&self, game: &G) -> String;

    /// One more than the largest number of a feature.
    fn n_weights(&self, game: &G) -> usize;

    /// Appends the numbers of the features of a position that is not over, seen by the side to move. A feature that occurs
    /// several times is listed as often.
    fn append(&self, game: &G, state: &G::State, out: &mut Vec<u32>);
}
