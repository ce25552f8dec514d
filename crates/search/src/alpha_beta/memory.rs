//! What a thread of a search keeps from one position to the next.

use banyan_core::{Game, Knowledge};

use super::ply::Ply;

/// Knowledge of the game, and what refuted what.
pub(super) struct Memory<G: Game, K> {
    pub(super) knowledge: K,
    /// Room for the moves of every ply on the way, and the moves that refuted others there.
    pub(super) plies: Vec<Ply<G>>,
    /// How much each slot refuted, by side.
    pub(super) history: [[i32; 256]; 2],
    /// Entries that had to make room for others of the same search since the table grew last.
    pub(super) n_replaced: usize,
}

impl<G: Game, K: Knowledge<G>> Memory<G, K> {
    pub(super) fn new(knowledge: K) -> Memory<G, K> {
        Memory { knowledge, plies: Vec::new(), history: [[0; 256]; 2], n_replaced: 0 }
    }

    /// Another position is to be searched: what refuted what is forgotten.
    pub(super) fn begin(&mut self) {
        self.plies.iter_mut().for_each(Ply::forget);
        self.history = [[0; 256]; 2];
        self.n_replaced = 0;
    }
}
