//! The moves of pending leaves whose evaluation gives priors.

use std::ops::Range;

use banyan_core::{Answer, Game};

use crate::mcts::tree::Packed;

/// The moves of the pending leaves, and their priors.
pub(crate) struct PendingMoves<G: Game> {
    /// The moves of all leaves, the end of each leaf's range, and the bounds they prove.
    pub(super) moves: Vec<G::Move>,
    pub(super) ends: Vec<usize>,
    pub(super) proven: Vec<Packed>,
    pub(super) priors: Vec<f32>,
    pub(super) visits: Vec<u32>,
    pub(super) answers: Vec<Answer>,
}

impl<G: Game> Default for PendingMoves<G> {
    fn default() -> PendingMoves<G> {
        let (moves, ends, proven, priors) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        PendingMoves { moves, ends, proven, priors, visits: Vec::new(), answers: Vec::new() }
    }
}

impl<G: Game> PendingMoves<G> {
    /// Adds the moves of a new pending leaf.
    pub(crate) fn push(&mut self, moves: &[G::Move], proven: Packed) {
        self.moves.extend_from_slice(moves);
        self.ends.push(self.moves.len());
        self.proven.push(proven);
    }

    /// Removes all pending leaves.
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
        self.proven.clear();
    }

    /// The range of the moves of leaf `i`.
    pub(super) fn moves_of(&self, i: usize) -> Range<usize> {
        let begin = if i == 0 { 0 } else { self.ends[i - 1] };
        begin..self.ends[i]
    }
}
