//! A search by one thread: its state, its stop condition, and its read lock on the table.

use std::sync::{RwLock, RwLockReadGuard};

use banyan_core::{Game, Knowledge};

use super::context::Context;
use super::coordination::Coordination;
use super::memory::Memory;
use super::params::Params;
use super::ply::Ply;
use super::stop_condition::StopCondition;
use super::transposition_table::{Entry, TranspositionTable, read_table};

/// A search by one thread.
pub(super) struct Search<'a, G: Game, K> {
    pub(super) game: &'a G,
    pub(super) params: Params,
    pub(super) memory: &'a mut Memory<G, K>,
    stop_condition: &'a mut dyn StopCondition,
    lock: Option<&'a RwLock<TranspositionTable>>,
    /// The table, locked for reading so that it does not grow meanwhile; `None` in a search without a table.
    pub(super) table: Option<RwLockReadGuard<'a, TranspositionTable>>,
    pub(super) coordination: &'a Coordination,
    /// The depth from which moves that another thread searches are deferred.
    pub(super) defer_from: u32,
    /// Positions visited.
    pub(super) nodes: u64,
    /// Positions evaluated at the horizon.
    pub(super) n_evals: u64,
    /// Positions at which the stop condition is checked next.
    next_check_at: u64,
    pub(super) stopped: bool,
}

impl<'a, G: Game, K: Knowledge<G>> Search<'a, G, K> {
    /// A new search of the context's position with a thread's memory.
    pub(super) fn new(
        memory: &'a mut Memory<G, K>,
        context: &'a Context<'_, G>,
        stop_condition: &'a mut dyn StopCondition,
    ) -> Search<'a, G, K> {
        let Context { game, state, params, table, ref coordination } = *context;
        let plies_left = usize::from(game.max_plies().saturating_sub(game.ply(state)));
        memory.plies.resize_with(memory.plies.len().max(plies_left + 1), Ply::default);
        Search {
            game,
            params,
            memory,
            stop_condition,
            lock: table,
            table: table.map(read_table),
            coordination,
            defer_from: context.defer_from(),
            nodes: 0,
            n_evals: 0,
            next_check_at: 0,
            stopped: false,
        }
    }
}

impl<G: Game, K: Knowledge<G>> Search<'_, G, K> {
    /// Counts a position and, at intervals, checks the stop condition.
    #[inline(always)]
    pub(super) fn is_stopped(&mut self) -> bool {
        self.nodes += 1;
        if self.nodes >= self.next_check_at {
            self.check_stop();
        }
        self.stopped
    }

    #[cold]
    #[inline(never)]
    fn check_stop(&mut self) {
        match self.stop_condition.next_check(self.nodes, self.n_evals) {
            Some(nodes) => self.next_check_at = nodes,
            None => self.stopped = true,
        }
        self.release_if_requested();
    }

    #[inline(always)]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        self.table.as_ref()?.find(key)
    }

    #[inline(always)]
    pub(super) fn store(&mut self, key: u64, entry: Entry) {
        if self.params.locks_updates {
            return self.store_locked(key, entry);
        }
        if self.table.as_ref().is_some_and(|table| table.put(key, entry)) {
            self.count_replacement();
        }
    }

    /// Stores an entry under the lock that all threads take for an update.
    #[cold]
    #[inline(never)]
    fn store_locked(&mut self, key: u64, entry: Entry) {
        let replaced = {
            let _exclusive = self.coordination.exclusive();
            self.table.as_ref().is_some_and(|table| table.put(key, entry))
        };
        if replaced {
            self.count_replacement();
        }
    }

    /// Counts a replaced entry. Each thread counts its own, so that no counter travels between processors.
    #[inline(always)]
    fn count_replacement(&mut self) {
        self.memory.n_replaced += 1;
        let all = self.memory.n_replaced * self.coordination.n_threads();
        if self.table.as_ref().is_some_and(|table| table.should_grow_after(all)) {
            self.grow();
        }
    }

    /// Grows the table as soon as no thread has locked it.
    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        self.memory.n_replaced = 0;
        let (Some(lock), Some(table)) = (self.lock, self.table.take()) else { return };
        table.request_release();
        let bytes = table.bytes();
        drop(table);
        {
            let mut table = lock.write().expect("growing does not panic");
            table.grow_from(bytes);
            table.end_release_request();
        }
        self.table = Some(read_table(lock));
    }

    /// Unlocks the table for a moment if a thread has requested it.
    fn release_if_requested(&mut self) {
        if self.table.as_ref().is_some_and(|table| table.is_release_requested()) {
            // A waiting writer comes before new readers.
            self.table = None;
            self.table = self.lock.map(read_table);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::thread;
    use std::time::Duration;

    use banyan_core::{Limits, Plain};
    use banyan_testkit::mesh::Mesh;

    use super::super::config::{Algorithm, AlphaBetaConfig};
    use super::super::transposition_table::Bound;
    use super::*;

    /// Never stops.
    struct Endless;

    impl StopCondition for Endless {
        fn next_check(&mut self, _nodes: u64, _n_evals: u64) -> Option<u64> {
            Some(u64::MAX)
        }
    }

    #[test]
    fn an_update_waits_for_the_lock_only_where_threads_take_it() {
        let game = Mesh::new(1, 40, false);
        let start = game.start();
        for (lock, waits) in [("updates", true), ("never", false)] {
            let mut config = AlphaBetaConfig { threads: 2, ..AlphaBetaConfig::new(Algorithm::Pvs) };
            config.set("lock", lock).expect("a row");
            let params = Params::with_horizon(&game, &config);
            let table = RwLock::new(TranspositionTable::new(params.layout(&game), 1));
            let coordination = Coordination::new(2, &Limits::default());
            let context = Context { game: &game, state: &start, params, table: Some(&table), coordination };
            thread::scope(|scope| {
                let held = context.coordination.exclusive();
                let (sender, stored) = channel();
                let context = &context;
                scope.spawn(move || {
                    let (mut memory, mut endless) = (Memory::new(Plain), Endless);
                    let mut search = Search::new(&mut memory, context, &mut endless);
                    search.store(7, Entry { score: 1, bound: Bound::Exact, draft: 1, full: false, hint: 0 });
                    sender.send(search.probe(7).is_some()).expect("the test waits");
                });
                if waits {
                    assert!(stored.recv_timeout(Duration::from_millis(50)).is_err(), "it does not wait");
                    drop(held);
                }
                assert_eq!(stored.recv(), Ok(true), "{lock}");
            });
        }
    }
}
