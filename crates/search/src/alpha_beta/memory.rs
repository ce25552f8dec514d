//! Memory that a search thread keeps from one position to the next.

use banyan_core::{Game, Knowledge};

use super::ply::Ply;

/// Game knowledge, killer moves and history.
pub(super) struct Memory<G: Game, K> {
    pub(super) knowledge: K,
    /// Buffers for the moves of every ply of the path, and its killer moves.
    pub(super) plies: Vec<Ply<G>>,
    /// History: refutations by each move, by side.
    pub(super) history: [[i32; 256]; 2],
    /// Entries replaced by others of the same search since the table last grew.
    pub(super) n_replaced: usize,
}

impl<G: Game, K: Knowledge<G>> Memory<G, K> {
    pub(super) fn new(knowledge: K) -> Memory<G, K> {
        Memory { knowledge, plies: Vec::new(), history: [[0; 256]; 2], n_replaced: 0 }
    }

    /// Starts the search of another position: clears killer moves and history.
    pub(super) fn begin(&mut self) {
        self.plies.iter_mut().for_each(Ply::forget);
        self.history = [[0; 256]; 2];
        self.n_replaced = 0;
    }
}
