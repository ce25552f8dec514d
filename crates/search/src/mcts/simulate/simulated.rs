//! Buffers of the moves of simulations.

use banyan_core::{Game, LastMoves, MoveList, SimulatedMove};

use crate::mcts::tree::NodeId;

/// Buffers of the moves of simulations.
pub(crate) struct Simulated<G: Game> {
    /// `[evaluated]`: the moves of the playouts of the group.
    pub(super) played: Vec<MoveList<G::Move>>,
    /// The nodes of a simulation, with their keys.
    pub(super) nodes: Vec<(NodeId, u64)>,
    /// Its moves, from the root to the end of the playout.
    pub(super) moves: Vec<SimulatedMove>,
    /// The last moves of the path, if evaluations need them.
    pub(super) last_moves: LastMoves,
    /// `[pending]`: those of the pending leaves.
    pub(super) last_of_pending: Vec<LastMoves>,
    /// `[evaluated]`: those of the positions of the group.
    pub(super) last_of_group: Vec<LastMoves>,
}

impl<G: Game> Default for Simulated<G> {
    fn default() -> Simulated<G> {
        Simulated {
            played: Vec::new(),
            nodes: Vec::new(),
            moves: Vec::new(),
            last_moves: LastMoves::default(),
            last_of_pending: Vec::new(),
            last_of_group: Vec::new(),
        }
    }
}
