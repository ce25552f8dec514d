//! One thread of a search of a shared graph, in copies of its own of the nodes it passes.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockWriteGuard};

use banyan_core::{Game, Limits};

use super::quota::Quota;
use crate::parallel::pool::Pool;
use crate::simulate::{Context, Search};
use crate::tree::NodeId;
use crate::tree::shared::{NodeCache, Shared, SharedGraph};
use crate::tree::{Graph, Tree};

/// What everybody does in a phase.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Phase {
    Search,
    /// Gives buckets added to the table their halves of others, so many at a time.
    Split(Range<usize>, usize),
    /// Passes on what was learnt at copies with so many visits.
    Merge(u64),
}

/// What is the same for all.
pub(super) struct Job<'a, G: Game> {
    context: Context<'a, G>,
    /// The graph while it is lent, what is to be done with it, and how often nodes were taken away.
    lent: RwLock<Lent>,
    pub(super) quota: Quota,
    /// Playouts to make between two looks.
    pub(super) packet: AtomicU64,
    /// Slots of the coordinator's copies.
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

    /// What is lent, while nobody is at work.
    pub(super) fn lent(&self) -> RwLockWriteGuard<'_, Lent> {
        self.lent.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One thread's search in its copies.
pub(super) struct Worker<'a, G: Game> {
    search: &'a mut Search<G>,
    cache: NodeCache,
    /// Which of the threads it is; the coordinator is number 0.
    number: usize,
    /// The epoch its copies are of.
    epoch: u32,
}

impl<'a, G: Game> Worker<'a, G> {
    /// Thread number `number` of a search whose graph `first` has.
    pub(super) fn new(
        search: &'a mut Search<G>,
        context: &Context<'_, G>,
        number: usize,
        first: &Tree,
    ) -> Worker<'a, G> {
        search.tree.params = search.params(context);
        search.tree.playouts = 0;
        search.tree.nodes = 0;
        search.clear_pending();
        search.tree.preferred = first.preferred;
        Worker { search, cache: NodeCache::new(context.config), number, epoch: 0 }
    }

    /// Does what is to be done until all is done, the pool is told to pause or `is_due` says so.
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
                // Number by number: nobody else has the same.
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

    /// Bytes taken by copies.
    pub(super) fn bytes(&self) -> usize {
        self.search.tree.graph.bytes() + self.cache.bytes()
    }

    /// Counts what was made in the graph since the last time.
    pub(super) fn add_counts(&mut self, graph: &mut Graph) {
        let chunk = &mut self.cache.chunk;
        graph.made = graph.made.wrapping_add(std::mem::take(&mut chunk.made));
        graph.held += std::mem::take(&mut chunk.tried);
        graph.table.count_inserted(std::mem::take(&mut chunk.inserted));
    }

    /// Begins with nothing but a copy of the root.
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
        while !pool.is_paused() && !self.search.tree.is_solved() {
            let packet = job.quota.take(job.packet.load(Ordering::Relaxed));
            if packet == 0 {
                break;
            }
            let Worker { search, cache, .. } = self;
            let before = (search.tree.spent(), search.tree.nodes);
            let access = &mut Shared { graph, cache };
            if plain {
                search.simulate_plainly(context, access, packet, packet);
            } else {
                search.simulate_in_batches(context, access, (packet, packet), false);
            }
            if job.timed {
                // Leaves that wait are not paid for yet.
                search.finish(context, access);
            }
            let made = search.tree.spent() - before.0;
            job.quota.record(packet, made, search.tree.nodes - before.1);
            if access.cache.is_full(&search.tree.graph) {
                search.finish(context, access);
                access.merge_all(&mut search.tree, 0);
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
    }
}
