//! What a thread of a search keeps from one position to the next, and its hold on the table.

use std::sync::{RwLock, RwLockReadGuard};

use banyan_core::{Game, Knowledge};

use super::order::Ply;
use super::search::{Overseer, Search};
use super::table::Table;
use super::task::Task;

/// Knowledge of the game, and what refuted what.
pub(super) struct Memory<G: Game, K> {
    pub(super) knowledge: K,
    /// Room for the moves of every ply on the way, and the moves that refuted others there.
    pub(super) plies: Vec<Ply<G>>,
    /// How much each slot refuted, by side.
    pub(super) history: [[i32; 256]; 2],
    /// Entries that had to make room for others of the same search since the table grew last.
    crowded: usize,
}

impl<G: Game, K: Knowledge<G>> Memory<G, K> {
    pub(super) fn new(knowledge: K) -> Memory<G, K> {
        Memory { knowledge, plies: Vec::new(), history: [[0; 256]; 2], crowded: 0 }
    }

    /// A search that works with what is kept.
    pub(super) fn search<'a>(&'a mut self, task: &'a Task<'_, G>, overseer: &'a mut dyn Overseer) -> Search<'a, G, K> {
        let Task { game, state, rules, table, ref crew } = *task;
        let plies_left = usize::from(game.max_plies().saturating_sub(game.ply(state)));
        self.plies.resize_with(self.plies.len().max(plies_left + 1), Ply::default);
        Search {
            game,
            rules,
            memory: self,
            overseer,
            lock: table,
            table: table.map(hold),
            crew,
            apart_from: task.apart_from(),
            nodes: 0,
            guesses: 0,
            ask_at: 0,
            stopped: false,
        }
    }

    /// Another position is to be searched: what refuted what is forgotten.
    pub(super) fn begin(&mut self) {
        self.plies.iter_mut().for_each(Ply::forget);
        self.history = [[0; 256]; 2];
        self.crowded = 0;
    }
}

/// Keeps a table as it is: entries may be written, but it does not grow.
pub(super) fn hold(table: &RwLock<Table>) -> RwLockReadGuard<'_, Table> {
    table.read().expect("growing does not panic")
}

impl<G: Game, K: Knowledge<G>> Search<'_, G, K> {
    /// Another entry had to make room. Each thread counts its own, so that no counter travels between processors.
    #[inline(always)]
    pub(super) fn note_crowd(&mut self) {
        self.memory.crowded += 1;
        let all = self.memory.crowded * self.crew.n_threads();
        if self.table.as_ref().is_some_and(|table| table.is_crowded_by(all)) {
            self.grow();
        }
    }

    /// Lets the table grow as soon as no thread holds it.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.memory.crowded = 0;
        let (Some(lock), Some(table)) = (self.lock, self.table.take()) else { return };
        table.await_all();
        let bytes = table.bytes();
        drop(table);
        {
            let mut table = lock.write().expect("growing does not panic");
            table.grow_from(bytes);
            table.await_no_more();
        }
        self.table = Some(hold(lock));
    }

    /// Lets go of the table for a moment if a thread waits for that.
    pub(super) fn give_way(&mut self) {
        if self.table.as_ref().is_some_and(|table| table.is_awaited()) {
            // Whoever waits to write goes before those who come to read.
            self.table = None;
            self.table = self.lock.map(hold);
        }
    }
}
