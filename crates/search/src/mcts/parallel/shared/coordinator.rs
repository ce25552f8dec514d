//! The coordinator: between phases it has the graph alone, checks the clock and reports to the observer.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::time::Duration;

use banyan_core::clock::Instant;
use banyan_core::{Flow, Game, Limits, Report, SearchObserver};

use super::recompute::recompute;
use super::worker::{Job, Phase, Worker};
use crate::budget::{Budget, EarlyEnd, RootStatus};
use crate::mcts::parallel::lock::lock;
use crate::mcts::parallel::monitor::PROGRESS_EVERY;
use crate::mcts::parallel::pool::Pool;
use crate::mcts::report::{FinalMoveSelector, Totals, TreeView, principal_variation, report_of};
use crate::mcts::simulate::Context;
use crate::mcts::tree::Tree;
use crate::mcts::tree::shared::SharedGraph;

/// Most playouts, or new nodes with all their children, that a thread makes between two checks of the shared state.
const PACKET: u64 = 128;
/// Least and most slots of all chunks made between two phases, and slots of one chunk. Guesses, untuned.
const FEWEST_SLOTS: usize = 1 << 14;
const MOST_SLOTS: usize = 1 << 20;
const CHUNK: usize = 2048;
/// Fewer new buckets than this are split by one thread. Guess, untuned.
const FEW_BUCKETS: usize = 1024;
/// Longest phase if the root status may stop the search early.
const LONGEST: Duration = Duration::from_millis(4);
/// Edges with at least this number of visits are recomputed at the end, so that their values do not depend on which
/// thread wrote last. Guess, untuned.
const RECOMPUTE_FROM: u32 = 128;
/// Time to merge the copies, for each of their slots: measured, 16 to 30 ns.
const MERGE_TIME_PER_SLOT: Duration = Duration::from_nanos(40);
/// A search stops after this number of phases in a row without a playout, whatever the reason.
const IDLE_PHASES: u32 = 100;
/// Copies are merged for a progress report if they have more than the root's visits divided by this.
const REPORTED_PART: u64 = 1000;

/// The coordinator.
pub(super) struct Coordinator<'a, G: Game> {
    tree: &'a mut Tree,
    context: Context<'a, G>,
    budget: Budget,
    /// A second copy of the budget, for checks during a phase.
    clock: Budget,
    may_end_early: bool,
    plays_forced: bool,
    observer: &'a mut dyn SearchObserver<G::Move>,
    reused: f64,
    last_progress: Instant,
    /// Playouts at the next check of the clock.
    next_check_at: u64,
    over: bool,
    /// Most playouts of a packet.
    packet: u64,
    /// Chunks that no thread has taken yet.
    chunks: Vec<Range<u32>>,
    /// The longest time taken to make chunks: at the memory cap many nodes are recycled at once.
    making_chunks: Duration,
    /// Slots of the widest node so far.
    widest: usize,
    /// Bytes of all thread-local copies.
    copies_bytes: usize,
}

impl<'a, G: Game> Coordinator<'a, G> {
    pub(super) fn new(
        tree: &'a mut Tree,
        context: Context<'a, G>,
        (budget, limits, plies_left): (Budget, &Limits, u16),
        observer: &'a mut dyn SearchObserver<G::Move>,
        reused: f64,
    ) -> Coordinator<'a, G> {
        let config = context.config;
        Coordinator {
            budget,
            clock: Budget::start(limits, plies_left, EarlyEnd::NEVER),
            may_end_early: config.may_end_early(limits),
            plays_forced: config.plays_forced(limits),
            context,
            observer,
            reused,
            last_progress: Instant::now(),
            next_check_at: 1,
            over: false,
            packet: PACKET * context.playouts_of_a_visit(tree),
            chunks: Vec::new(),
            making_chunks: Duration::ZERO,
            widest: 0,
            copies_bytes: 0,
            tree,
        }
    }

    pub(super) fn is_solved(&self) -> bool {
        self.tree.is_solved()
    }

    /// The tree whose graph the threads share.
    pub(super) fn tree(&self) -> &Tree {
        self.tree
    }

    /// Runs phases until a stop condition holds.
    pub(super) fn run(&mut self, job: &Job<'_, G>, workers: &[Mutex<Worker<'_, G>>], pool: &Pool) {
        let mut idle = 0;
        loop {
            let before = self.tree.playouts;
            if self.chunks.is_empty() {
                if self.clock.time_left().is_some_and(|left| left < self.making_chunks) {
                    self.over = true;
                } else {
                    let begun = Instant::now();
                    self.make_chunks(job, workers, pool);
                    self.making_chunks = self.making_chunks.max(begun.elapsed());
                }
            }
            self.phase(job, workers, pool, Phase::Search);
            idle = if self.tree.playouts > before { 0 } else { idle + 1 };
            let done = self.over || self.is_solved() || job.quota.is_spent() || idle == IDLE_PHASES;
            debug_assert!(idle < IDLE_PHASES, "no thread makes a playout");
            let report_progress = self.last_progress.elapsed() >= PROGRESS_EVERY;
            if done || report_progress || self.may_end_early {
                let least = if done { 0 } else { self.tree.graph.total_visits(self.tree.root) / REPORTED_PART };
                self.phase(job, workers, pool, Phase::Merge(least));
            }
            if done || !self.continues(report_progress) {
                break;
            }
        }
        let root = (self.tree.root, self.context.state);
        recompute(&self.context, self.tree, root, RECOMPUTE_FROM, &mut HashSet::new());
    }

    /// Makes chunks for new nodes: at the end of the graph while it may grow, then from recycled nodes.
    fn make_chunks(&mut self, job: &Job<'_, G>, workers: &[Mutex<Worker<'_, G>>], pool: &Pool) {
        let threads = workers.len();
        let root = self.tree.root;
        let graph = &self.tree.graph;
        self.widest = self.widest.max(graph.keeps().columns.slots_of(graph.len(root)));
        let widest = self.widest;
        let slots = self.tree.graph.slots().clamp(FEWEST_SLOTS.max(threads * CHUNK), MOST_SLOTS.max(threads * CHUNK));
        self.enlarge_table(job, workers, pool, (slots, widest));
        self.chunks = self.tree.graph.new_chunks(slots, CHUNK.max(4 * widest));
        if self.chunks.is_empty() {
            // Copies of recycled nodes must not be published later.
            self.phase(job, workers, pool, Phase::Merge(0));
            let slots = (self.tree.graph.slots() / 8).max(8 * threads * widest);
            self.chunks = self.tree.graph.recycled_chunks(slots, 4 * widest, &|id| id == root);
            job.lent().epoch += 1;
        }
    }

    /// Grows the table for the expected nodes.
    fn enlarge_table(
        &mut self,
        job: &Job<'_, G>,
        workers: &[Mutex<Worker<'_, G>>],
        pool: &Pool,
        (slots, widest): (usize, usize),
    ) {
        let graph = &mut self.tree.graph;
        let end = graph.buckets_to_expect(slots, widest) + graph.table.len();
        while self.tree.graph.table.len() < end {
            let table = &mut self.tree.graph.table;
            let added = table.extend(end - table.len());
            if added.len() < FEW_BUCKETS {
                let shared = SharedGraph::take_over(&mut self.tree.graph, Vec::new());
                shared.split(added);
                shared.give_back(&mut self.tree.graph);
            } else {
                let n = added.len().div_ceil(workers.len());
                self.phase(job, workers, pool, Phase::Split(added, n));
            }
            self.tree.graph.table.end_round();
        }
    }

    /// Shares the graph for one phase.
    fn phase(&mut self, job: &Job<'_, G>, workers: &[Mutex<Worker<'_, G>>], pool: &Pool, phase: Phase) {
        let searches = phase == Phase::Search;
        let chunks = if searches { std::mem::take(&mut self.chunks) } else { Vec::new() };
        let shared = SharedGraph::take_over(&mut self.tree.graph, chunks);
        {
            let mut lent = job.lent();
            (lent.graph, lent.phase) = (Some(shared), phase);
        }
        let begun = Instant::now();
        let threads = workers.len() as u64;
        let mut is_due = || searches && self.is_due(job, threads, begun);
        pool.phase(&mut |is_due| lock(&workers[0]).work(job, pool, is_due), &mut is_due);
        let shared = job.lent().graph.take().expect("it was lent");
        let too_wide = shared.too_wide();
        let chunks = shared.give_back(&mut self.tree.graph);
        // If a node did not fit into any chunk, the chunks are dropped and wider ones made.
        if searches && too_wide == 0 {
            self.chunks = chunks;
        }
        self.widest = self.widest.max(too_wide);
        self.copies_bytes = 0;
        for worker in workers {
            let mut worker = lock(worker);
            worker.add_counts(&mut self.tree.graph);
            self.copies_bytes += worker.bytes();
        }
        (self.tree.playouts, self.tree.nodes) = job.quota.spent();
    }

    /// Whether the phase should end.
    fn is_due(&mut self, job: &Job<'_, G>, threads: u64, begun: Instant) -> bool {
        let (playouts, nodes) = job.quota.spent();
        if playouts < self.next_check_at {
            return self.over;
        }
        // Whether the choice is clear is checked between phases.
        let Some(stretch) = self.clock.next_stretch(playouts, nodes, &|| RootStatus::UNCLEAR) else {
            self.over = true;
            return true;
        };
        self.next_check_at = playouts + stretch.min(threads * self.packet);
        job.packet.store((stretch / threads).clamp(1, self.packet), Ordering::Relaxed);
        // All copies have to be merged at the end.
        let merger = MERGE_TIME_PER_SLOT * job.copied.load(Ordering::Relaxed) as u32;
        self.over = self.over || self.observer.stopped() || self.clock.time_left().is_some_and(|left| left <= merger);
        let now = Instant::now();
        self.over
            || now.duration_since(self.last_progress) >= PROGRESS_EVERY
            || self.may_end_early && now.duration_since(begun) >= LONGEST
    }

    /// Called between phases: whether the search continues.
    fn continues(&mut self, report_progress: bool) -> bool {
        let (tree, context) = (&*self.tree, &self.context);
        let root_status = || {
            let (mover, guide) = (context.game.to_move(context.state), context.guide(context.state));
            let offset = context.offset(&tree.params, context.state);
            let selector = FinalMoveSelector { tree, config: context.config, mover, offset, guide: &guide };
            selector.root_status(&TreeView::of(tree, tree.root, mover))
        };
        if self.may_end_early && self.budget.next_stretch(tree.playouts, tree.nodes, &root_status).is_none()
            || self.plays_forced && tree.graph.len(tree.root) == 1
        {
            return false;
        }
        if !report_progress {
            return true;
        }
        self.last_progress = Instant::now();
        let report = self.report();
        self.observer.progress(&report) == Flow::Continue
    }

    /// The current report.
    pub(super) fn report(&self) -> Report<G::Move> {
        let (tree, context) = (&*self.tree, &self.context);
        let view = TreeView::of(tree, tree.root, context.game.to_move(context.state));
        let totals = Totals {
            playouts: tree.playouts,
            nodes: tree.graph.held(),
            memory_bytes: (tree.graph.bytes() + self.copies_bytes) as u64,
            reused: self.reused,
            elapsed: self.budget.elapsed(),
        };
        report_of(context, tree, &view, &|edge| principal_variation(context, tree, edge), &totals)
    }
}
