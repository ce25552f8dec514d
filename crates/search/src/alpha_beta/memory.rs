//! What a search keeps from one position to the next.

use banyan_core::{Game, Heuristic};

use super::order::Ply;
use super::rules::Rules;
use super::search::{Overseer, Search};
use super::table::Table;

/// Heuristic, table and what refuted what.
pub(super) struct Memory<G: Game, H> {
    pub(super) heuristic: H,
    /// The table; `None` where none is wanted.
    pub(super) table: Option<Table>,
    /// Room for the moves of every ply on the way, and the moves that refuted others there.
    pub(super) plies: Vec<Ply<G>>,
    /// How much each slot refuted, by side.
    pub(super) history: [[i32; 256]; 2],
}

impl<G: Game, H: Heuristic<G>> Memory<G, H> {
    pub(super) fn new(heuristic: H, table: Option<Table>) -> Memory<G, H> {
        Memory { heuristic, table, plies: Vec::new(), history: [[0; 256]; 2] }
    }

    /// A search that works with what is kept.
    pub(super) fn search<'a>(
        &'a mut self,
        game: &'a G,
        state: &G::State,
        rules: Rules,
        overseer: &'a mut dyn Overseer,
    ) -> Search<'a, G, H> {
        let plies_left = usize::from(game.max_plies().saturating_sub(game.ply(state)));
        self.plies.resize_with(self.plies.len().max(plies_left + 1), Ply::default);
        Search { game, rules, memory: self, overseer, nodes: 0, guesses: 0, ask_at: 0, stopped: false }
    }

    /// Memory of the table.
    pub(super) fn bytes(&self) -> u64 {
        self.table.as_ref().map_or(0, Table::bytes)
    }

    /// Another position is to be searched: positions found so far are old, and what refuted what is forgotten.
    pub(super) fn begin(&mut self) {
        if let Some(table) = &mut self.table {
            table.begin_search();
        }
        self.plies.iter_mut().for_each(Ply::forget);
        self.history = [[0; 256]; 2];
    }

    /// Forgets every position.
    pub(super) fn forget(&mut self) {
        if let Some(table) = &mut self.table {
            table.clear();
        }
    }
}
