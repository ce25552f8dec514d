//! Features of positions and moves whose weights are learned.

use banyan_core::Game;

/// Sparse features of the positions of one board: the learned value of the position is the sum of the weights of its features.
///
/// Features that are the same for a side and its opponent after a symmetry of the board should have the same number, so that
/// each weight is learned from more positions.
pub trait Features<G: Game>: Send + Sync {
    /// A name of the numbering: weights of another layout mean something else, and are refused.
    fn layout(&self) -> String;

    /// One more than the largest number of a feature.
    fn n_weights(&self) -> usize;

    /// The number of weights of a stage of the game where each stage has its own: number `i` of a stage is the same feature as number
    /// `i` of the next. By default there is one stage.
    fn per_stage(&self) -> usize {
        self.n_weights()
    }

    /// Appends the numbers of the features of a position that is not over, seen by the side to move. A feature that occurs
    /// several times is listed as often.
    fn append(&self, game: &G, state: &G::State, out: &mut Vec<u32>);
}

/// Sparse features of the moves of one board: a learned policy is a small network over them.
pub trait MoveFeatures<G: Game>: Send + Sync {
    /// A name of the numbering and the network: weights of another layout mean something else, and are refused.
    fn layout(&self) -> String;

    /// One more than the largest number of a feature.
    fn n_features(&self) -> usize;

    /// Features of each move.
    fn per_move(&self) -> usize;

    /// Weights of each feature: one for the score of the move itself, the others for hidden units.
    fn lanes(&self) -> usize;

    /// Appends the numbers of the features of these legal moves, one move after the other, [`per_move`](MoveFeatures::per_move)
    /// each.
    fn append(&self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<u32>);
}
