//! The interface of what learns from the moves of finished simulations.

use crate::Side;

/// A move of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedMove {
    /// The side that played it.
    pub side: Side,
    /// Its [identity](crate::Knowledge::move_identity).
    pub identity: u16,
}

/// Statistics of moves, or of replies, that finished simulations update and later playouts use.
pub trait Learner {
    /// Learns from a simulation: its moves from the root of the search to the end of the playout, and its result, the share
    /// that the first side gets: 0 for its worst result, 1 for its best.
    fn learn(&mut self, moves: &[SimulatedMove], result: f32);
}
