//! The interface of what learns from the moves of finished simulations.

use crate::{Game, Knowledge, Side};

/// A move of a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimulatedMove {
    /// The side that played it.
    pub side: Side,
    /// Its [identity](crate::Knowledge::move_identity).
    pub identity: u16,
}

impl SimulatedMove {
    /// A move that is legal in this position.
    pub fn of<G: Game>(
        game: &G,
        knowledge: &(impl Knowledge<G> + ?Sized),
        state: &G::State,
        mv: G::Move,
    ) -> SimulatedMove {
        SimulatedMove { side: game.to_move(state), identity: knowledge.move_identity(game, state, mv) }
    }
}

/// The last two moves before a position, without those before the root of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LastMoves([Option<SimulatedMove>; 2]);

impl LastMoves {
    /// Those after one more move.
    #[must_use]
    pub fn then(self, mv: SimulatedMove) -> LastMoves {
        LastMoves([self.0[1], Some(mv)])
    }

    /// The moves, the last one last.
    pub fn iter(self) -> impl Iterator<Item = SimulatedMove> {
        self.0.into_iter().flatten()
    }
}

/// Statistics of moves, or of replies, that finished simulations update and later playouts use.
pub trait Learner {
    /// Learns from a simulation: its moves from the root of the search to the end of the playout, and its result, the share
    /// that the first side gets: 0 for its worst result, 1 for its best.
    fn learn(&mut self, moves: &[SimulatedMove], result: f32);

    /// Whether its playouts depend on the [moves before a leaf](crate::Leaves::last_moves), which the search then gives.
    fn needs_last_moves(&self) -> bool {
        false
    }
}
