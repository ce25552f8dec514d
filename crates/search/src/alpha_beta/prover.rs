//! Alpha-beta to the end of the game as a prover, for games without a dedicated one.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, OnceLock, RwLock};

use banyan_core::{Bounds, Game, InProgress, Knowledge, Limits, Margin, Poll, Prover};

use super::context::Context;
use super::coordination::Coordination;
use super::memory::Memory;
use super::params::{Params, to_the_end};
use super::root::Root;
use super::score::{Window, relative_scores};
use super::search::Search;
use super::stop_condition::StopCondition;
use super::transposition_table::{TranspositionTable, read_table};

/// Null-window searches to the end with a transposition table, for any game.
pub struct AlphaBetaProver<G: Game, K> {
    table_mib: u32,
    shared: Arc<Shared>,
    /// Number of the thread, from 0.
    thread: u32,
    memory: Memory<G, K>,
    nodes: u64,
}

/// State that a prover shares with its forks.
struct Shared {
    /// Laid out by the first search.
    table: OnceLock<RwLock<TranspositionTable>>,
    /// Positions that a thread is searching.
    searched: Arc<InProgress>,
    n_threads: AtomicU32,
}

impl Shared {
    fn new(n_threads: u32) -> Arc<Shared> {
        Arc::new(Shared {
            table: OnceLock::new(),
            searched: Arc::new(InProgress::new()),
            n_threads: AtomicU32::new(n_threads),
        })
    }

    fn n_threads(&self) -> u32 {
        self.n_threads.load(Relaxed)
    }
}

impl<G: Game, K: Knowledge<G> + Clone + 'static> AlphaBetaProver<G, K> {
    /// A prover whose table grows to at most `table_mib` MiB, at least 1.
    pub fn new(table_mib: u32, knowledge: K) -> AlphaBetaProver<G, K> {
        let (table_mib, memory) = (table_mib.max(1), Memory::new(knowledge));
        AlphaBetaProver { table_mib, shared: Shared::new(1), thread: 0, memory, nodes: 0 }
    }
}

/// A stop condition by a poll, which also counts the positions of earlier searches.
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
        let n_threads = self.shared.n_threads();
        if self.shared.table.get().is_some_and(|table| read_table(table).layout() != layout) {
            // Another board.
            self.shared = Shared::new(n_threads);
        }
        let Shared { table, searched, .. } = &*self.shared;
        let table = table.get_or_init(|| RwLock::new(TranspositionTable::new(layout, self.table_mib)));
        let coordination = Coordination::with_marks(n_threads, &Limits::default(), Arc::clone(searched));
        let context = Context { game, state, params, table: Some(table), coordination };
        let mut root = Root::new(game, &self.memory.knowledge, state, params);
        if self.thread > 0 {
            root = root.for_helper(self.thread as usize, n_threads as usize);
        }
        let mover = game.to_move(state);
        let wanted = Bounds::exact(Margin::won_by(mover, points));
        let (wanted, _) = relative_scores(wanted, game.score(state), mover, params.unit);
        let mut polled = Polled { poll, before: self.nodes };
        let mut search = Search::new(&mut self.memory, &context, &mut polled);
        let done = root.search(&mut search, to_the_end(game.ply(state)), Window::null(wanted - params.unit));
        self.nodes += search.nodes;
        done?;
        root.reconcile_bounds();
        Some(root.bounds(root.lower, root.upper))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }

    fn forget(&mut self) {
        // In place, because forks share it.
        if let Some(table) = self.shared.table.get() {
            table.write().expect("growing does not panic").clear();
        }
        self.memory.begin();
    }

    fn fork(&self, thread: u32) -> Box<dyn Prover<G>> {
        self.shared.n_threads.fetch_max(thread + 1, Relaxed);
        let memory = Memory::new(self.memory.knowledge.clone());
        Box::new(AlphaBetaProver { shared: Arc::clone(&self.shared), thread, memory, nodes: 0, ..*self })
    }

    fn memory_bytes(&self) -> u64 {
        self.shared.table.get().map_or(0, |table| read_table(table).bytes())
    }
}
