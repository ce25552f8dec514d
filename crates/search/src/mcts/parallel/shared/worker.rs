//! One thread of a search of a shared graph, with its node cache.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

use banyan_core::{Game, Limits};

use super::quota::Quota;
use crate::mcts::parallel::pool::Pool;
use crate::mcts::simulate::{Context, Search};
use crate::mcts::tree::NodeId;
use crate::mcts::tree::shared::{NodeCache, Shared, SharedGraph};
use crate::mcts::tree::{Graph, Tree};

/// The work of a phase.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Phase {
    Search,
    /// Splits these buckets of the table; the number is that of buckets per thread.
    Split(Range<usize>, usize),
    /// Merges copies with at least this number of visits.
    Merge(u64),
}

/// State shared by all threads.
pub(super) struct Job<'a, G: Game> {
    context: Context<'a, G>,
    /// The graph during a phase, the work of the phase, and the epoch, which counts recyclings.
    lent: RwLock<Lent>,
    pub(super) quota: Quota,
    /// Playouts between two checks.
    pub(super) packet: AtomicU64,
    /// Slots of the copies of the coordinator's thread.
    pub(super) copied: AtomicUsize,
    timed: bool,
}

pub(super) struct Lent {
    pub(super) graph: Option<SharedGraph>,
    root: u32,
    pub(super) phase: Phase,
    pub(super) epoch: u32,
}

impl<'a, G: Game> Job<'a, G> {
    /// A search from `root`, which may still get `visits_left` visits.
    pub(super) fn new(
        context: Context<'a, G>,
        (limits, visits_left): (&Limits, u64),
        root: NodeId,
        timed: bool,
    ) -> Job<'a, G> {
        Job {
            context,
            lent: RwLock::new(Lent { graph: None, root: root.0, phase: Phase::Search, epoch: 1 }),
            quota: Quota::new(limits, visits_left),
            packet: AtomicU64::new(1),
            copied: AtomicUsize::new(0),
            timed,
        }
    }

    /// Access to the shared graph between phases.
    pub(super) fn lent(&self) -> RwLockWriteGuard<'_, Lent> {
        self.lent.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One thread's search with its node cache.
pub(super) struct Worker<'a, G: Game> {
    search: &'a mut Search<G>,
    cache: NodeCache,
    /// Index of the thread; the coordinator is 0.
    number: usize,
    /// The epoch of its copies.
    epoch: u32,
    /// Playouts and new edges, pending ones included, that the quota has recorded.
    recorded: (u64, u64),
}

impl<'a, G: Game> Worker<'a, G> {
    /// Thread `number` of a search whose graph `first` has.
    pub(super) fn new(
        search: &'a mut Search<G>,
        context: &Context<'_, G>,
        number: usize,
        first: &Tree,
    ) -> Worker<'a, G> {
        search.tree.params = search.params(context);
        search.begin_evaluations(context);
        search.tree.playouts = 0;
        search.tree.nodes = 0;
        search.clear_pending();
        search.tree.preferred = first.preferred;
        Worker { search, cache: NodeCache::new(context.config), number, epoch: 0, recorded: (0, 0) }
    }

    /// Does the work of the phase until it is done, the pool is paused or `is_due`.
    pub(super) fn work(&mut self, job: &Job<'_, G>, pool: &Pool, is_due: &mut dyn FnMut() -> bool) {
        let lent = job.lent.read().unwrap_or_else(PoisonError::into_inner);
        let graph = lent.graph.as_ref().expect("the graph is lent");
        self.search.tree.graph.made = graph.stamp();
        if self.epoch != lent.epoch {
            self.epoch = lent.epoch;
            self.copy_root(graph, job, lent.root);
        }
        match lent.phase.clone() {
            Phase::Split(buckets, n) => {
                // Each thread splits different buckets.
                let first = buckets.start + self.number * n;
                let mine = first..(first + n).min(buckets.end);
                graph.split(mine);
            }
            Phase::Merge(least) => {
                let (tree, access) = (&mut self.search.tree, &mut Shared { graph, cache: &mut self.cache });
                access.merge_all(tree, least);
            }
            Phase::Search => {
                self.search_on(graph, job, pool, (lent.root, is_due));
                graph.release(&mut self.cache.chunk);
            }
        }
    }

    /// Bytes of the copies.
    pub(super) fn bytes(&self) -> usize {
        self.search.tree.graph.bytes() + self.cache.bytes()
    }

    /// Adds the nodes and edges made since the last call to the counts of the graph.
    pub(super) fn add_counts(&mut self, graph: &mut Graph) {
        let chunk = &mut self.cache.chunk;
        graph.made = graph.made.wrapping_add(std::mem::take(&mut chunk.made));
        graph.held += std::mem::take(&mut chunk.tried);
        graph.table.count_inserted(std::mem::take(&mut chunk.inserted));
    }

    /// Clears the cache and copies the root.
    fn copy_root(&mut self, graph: &SharedGraph, job: &Job<'_, G>, root: u32) {
        let tree = &mut self.search.tree;
        self.cache.clear(&mut tree.graph);
        let copy = self.cache.copy(graph, &mut tree.graph, root, true);
        self.cache.note_mover(copy, job.context.game.to_move(job.context.state));
        tree.root = copy;
    }

    fn search_on(
        &mut self,
        graph: &SharedGraph,
        job: &Job<'_, G>,
        pool: &Pool,
        (root, is_due): (u32, &mut dyn FnMut() -> bool),
    ) {
        let context = &job.context;
        let plain = self.search.is_plain(context.config);
        // The last visit of a packet may exceed it by the children of a node.
        let more = context.playouts_of_a_visit(&self.search.tree) - 1;
        while !pool.is_paused() && !self.search.tree.is_solved() {
            let wanted = job.packet.load(Ordering::Relaxed);
            let taken = job.quota.take(wanted + more);
            if taken == 0 {
                break;
            }
            let packet = taken.min(wanted);
            let Worker { search, cache, .. } = self;
            let access = &mut Shared { graph, cache };
            if plain {
                search.simulate_plainly(context, access, packet, taken);
            } else {
                search.simulate_in_batches(context, access, (packet, taken), false);
            }
            if job.timed {
                // The time of pending leaves is not counted yet.
                search.finish(context, access);
            }
            let is_full = access.cache.is_full(&search.tree.graph);
            if is_full {
                search.finish(context, access);
                access.merge_all(&mut search.tree, 0);
            }
            self.record(job, taken);
            if is_full {
                self.copy_root(graph, job, root);
            }
            if self.number == 0 {
                job.copied.store(self.search.tree.graph.slots(), Ordering::Relaxed);
            }
            if graph.is_short() || is_due() {
                pool.pause();
            }
        }
        let Worker { search, cache, .. } = self;
        search.finish(context, &mut Shared { graph, cache });
        if search.tree.is_solved() {
            pool.pause();
        }
        self.record(job, 0);
    }

    /// Records the playouts made since the last call, `taken` of which were allowed, and the edges tried.
    fn record(&mut self, job: &Job<'_, G>, taken: u64) {
        let tree = &self.search.tree;
        let awaited = tree.pending.nodes().map(|node| tree.graph.len(node) as u64).sum::<u64>();
        let now = (tree.spent(), tree.nodes + awaited);
        job.quota.record(taken, now.0 - self.recorded.0, now.1 - self.recorded.1);
        self.recorded = now;
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::Situation;
    use banyan_testkit::mesh::Mesh;

    use super::*;
    use crate::mcts::Mcts;
    use crate::options::Config;

    #[test]
    fn a_thread_without_a_place_for_a_node_ends_its_packet() {
        let game = Mesh::new(1, 40, false);
        let config: Config = "threads=2,parallel=tree,eval=uniform,proof=off,forced=never".parse().expect("settings");
        let mut player: Mcts<Mesh> = Mcts::new(config).expect("settings without conflicts");
        let start = game.start();
        let at = Situation { game: &game, start: &start, played: &[], state: &start };
        let context = Context { game: &game, config: &player.config, state: &start };
        let (first, rest) = player.searchers.split_first_mut().expect("the first thread has the graph");
        first.begin_at(&player.config, &at);
        let tree = &mut first.search.tree;
        let n_moves = tree.graph.len(tree.root) as u64;
        let job = Job::new(context, (&Limits::playouts(1000), 1 << 20), tree.root, false);
        job.packet.store(128, Ordering::Relaxed);
        let mut worker = Worker::new(&mut rest[0].search, &context, 0, tree);
        // No node is as small as this chunk.
        let chunks = tree.graph.new_chunks(1, 1);
        job.lent().graph = Some(SharedGraph::take_over(&mut tree.graph, chunks));
        Pool::with(0, &|_, _| (), &mut |pool| worker.work(&job, pool, &mut || false));
        let playouts = job.quota.spent().0;
        assert!((n_moves..n_moves + 20).contains(&playouts), "{playouts} playouts, {n_moves} moves");
        let shared = job.lent().graph.take().expect("it was lent");
        assert!(shared.is_short() && shared.too_wide() > 0);
        shared.give_back(&mut first.search.tree.graph);
    }
}
