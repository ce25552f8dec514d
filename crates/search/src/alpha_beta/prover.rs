//! Alpha-beta to the end of the game as a prover, for games without one of their own.

use std::sync::{Arc, OnceLock, RwLock};

use banyan_core::{Bounds, Game, Knowledge, Limits, Margin, Poll, Prover};

use super::context::Context;
use super::coordination::Coordination;
use super::memory::Memory;
use super::params::{Params, TO_THE_END};
use super::root::Root;
use super::score::{Window, relative_scores};
use super::search::Search;
use super::stop_condition::StopCondition;
use super::transposition_table::{TranspositionTable, read_table};

/// Null-window searches to the end with a transposition table, for any game.
pub struct AlphaBetaProver<G: Game, K> {
    table_mib: u32,
    /// Laid out by the first search; shared with forks.
    table: Arc<OnceLock<RwLock<TranspositionTable>>>,
    memory: Memory<G, K>,
    nodes: u64,
}

impl<G: Game, K: Knowledge<G> + Clone + 'static> AlphaBetaProver<G, K> {
    /// A prover whose table grows to at most so many MiB, at least 1.
    pub fn new(table_mib: u32, knowledge: K) -> AlphaBetaProver<G, K> {
        let table_mib = table_mib.max(1);
        AlphaBetaProver { table_mib, table: Arc::default(), memory: Memory::new(knowledge), nodes: 0 }
    }
}

/// Asks a poll, which also counts the positions of earlier searches.
struct Polled<'a> {
    poll: Poll<'a>,
    before: u64,
}

impl StopCondition for Polled<'_> {
    fn next_check(&mut self, nodes: u64, _n_evals: u64) -> Option<u64> {
        (self.poll)(self.before + nodes).map(|next| next.saturating_sub(self.before).max(nodes + 1))
    }
}

impl<G: Game, K: Knowledge<G> + Clone + 'static> Prover<G> for AlphaBetaProver<G, K> {
    fn reaches(&mut self, game: &G, state: &G::State, points: i16, poll: Poll<'_>) -> Option<Bounds> {
        let params = Params::exact(game);
        let layout = params.layout(game);
        if self.table.get().is_some_and(|table| read_table(table).layout() != layout) {
            // Another board.
            self.table = Arc::default();
        }
        let table = self.table.get_or_init(|| RwLock::new(TranspositionTable::new(layout, self.table_mib)));
        let coordination = Coordination::new(1, &Limits::default());
        let context = Context { game, state, params, table: Some(table), coordination };
        let mut root = Root::new(game, &self.memory.knowledge, state, params);
        let mover = game.to_move(state);
        let wanted = Bounds::exact(Margin::won_by(mover, points));
        let (wanted, _) = relative_scores(wanted, game.score(state), mover, params.unit);
        let mut polled = Polled { poll, before: self.nodes };
        let mut search = Search::new(&mut self.memory, &context, &mut polled);
        let done = root.search(&mut search, TO_THE_END, Window::null(wanted - params.unit));
        self.nodes += search.nodes;
        done?;
        root.reconcile_bounds();
        Some(root.bounds(root.lower, root.upper))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn forget(&mut self) {
        // In place, for forks share it.
        if let Some(table) = self.table.get() {
            table.write().expect("growing does not panic").clear();
        }
        self.memory.begin();
    }

    fn fork(&self, _thread: u32) -> Box<dyn Prover<G>> {
        let mut fork = AlphaBetaProver::new(self.table_mib, self.memory.knowledge.clone());
        fork.table = Arc::clone(&self.table);
        Box::new(fork)
    }

    fn memory_bytes(&self) -> u64 {
        self.table.get().map_or(0, |table| read_table(table).bytes())
    }
}
