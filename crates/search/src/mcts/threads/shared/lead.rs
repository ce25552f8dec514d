//! The thread that leads: it alone has the graph while all rest, looks at the clock and tells who looks on.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError, RwLockWriteGuard};
use std::time::{Duration, Instant};

use banyan_core::{Flow, Game, Limits, Report, Watch};

use super::{Desk, Duty, Office, Worker};
use crate::budget::{Budget, EarlyEnd, Standing};
use crate::mcts::PROGRESS_EVERY;
use crate::mcts::common::Common;
use crate::mcts::layout::slots_of;
use crate::mcts::outcome::Totals;
use crate::mcts::search::Search;
use crate::mcts::task::Task;
use crate::mcts::threads::{crew::Crew, lock};

/// Playouts that a thread makes between two looks at what the others want, at most.
const PACKET: u64 = 128;
/// Slots of rooms made in one rest, at least and at most, and of one room. Guesses, untuned.
const FEWEST_SLOTS: usize = 1 << 14;
const MOST_SLOTS: usize = 1 << 20;
const ROOM: usize = 2048;
/// So many new buckets of the table are no work for several. Guess, untuned.
const FEW_BUCKETS: usize = 1024;
/// A leg takes so long at most where what is known may end the search early.
const LONGEST: Duration = Duration::from_millis(4);
/// Edges with so many visits are worked out anew in the end, so that nothing depends on who was last to write. Guess, untuned.
const AGREED: u32 = 128;
/// What merging the copies takes for each of their slots: measured, 16 to 30 ns.
const MERGER_OF_SLOT: Duration = Duration::from_nanos(40);
/// A search in which nobody makes a playout for so many legs in a row has come to its end, whatever is to blame.
const IDLE_LEGS: u32 = 100;
/// Only copies with more than this part of the root's visits are merged for those who look on.
const SEEN: u64 = 1000;

/// The thread that leads.
pub(super) struct Lead<'a, G: Game> {
    search: &'a mut Search<G>,
    task: Task<'a, G>,
    budget: Budget,
    /// The same limits, as far as they are looked at while all search.
    clock: Budget,
    may_end_early: bool,
    plays_forced: bool,
    watch: &'a mut dyn Watch<G::Move>,
    reused: f64,
    last_told: Instant,
    /// Playouts at which to look at the clock again.
    next_look: u64,
    over: bool,
    /// Rooms made and not taken yet.
    rooms: Vec<Range<u32>>,
    /// Slots of the widest node met.
    widest: usize,
    /// Bytes that all take by copies.
    copies_bytes: usize,
}

impl<'a, G: Game> Lead<'a, G> {
    pub(super) fn new(
        search: &'a mut Search<G>,
        task: Task<'a, G>,
        (budget, limits, plies_left): (Budget, &Limits, u16),
        watch: &'a mut dyn Watch<G::Move>,
        reused: f64,
    ) -> Lead<'a, G> {
        let config = task.config;
        Lead {
            search,
            budget,
            clock: Budget::start(limits, plies_left, EarlyEnd::NEVER),
            may_end_early: config.may_end_early(limits),
            plays_forced: config.plays_forced(limits),
            task,
            watch,
            reused,
            last_told: Instant::now(),
            next_look: 1,
            over: false,
            rooms: Vec::new(),
            widest: 0,
            copies_bytes: 0,
        }
    }

    pub(super) fn is_settled(&self) -> bool {
        self.search.graph.is_settled(self.task.root)
    }

    /// The search whose graph is lent.
    pub(super) fn search(&self) -> &Search<G> {
        self.search
    }

    /// Leads all from leg to leg until the budget is spent.
    pub(super) fn through(&mut self, office: &Office<'_, G>, workers: &[Mutex<Worker<'_, G>>], crew: &Crew) {
        let mut idle = 0;
        loop {
            let before = self.search.playouts;
            if self.rooms.is_empty() {
                self.make_rooms(office, workers, crew);
            }
            self.leg(office, workers, crew, Duty::Search);
            idle = if self.search.playouts > before { 0 } else { idle + 1 };
            let done = self.over || self.is_settled() || office.quota.is_spent() || idle == IDLE_LEGS;
            debug_assert!(idle < IDLE_LEGS, "nobody finds anything to do");
            let tell = self.last_told.elapsed() >= PROGRESS_EVERY;
            if done || tell || self.may_end_early {
                let least = if done { 0 } else { self.search.graph.total_visits(self.task.root) / SEEN };
                self.leg(office, workers, crew, Duty::Merge(least));
            }
            if done || !self.goes_on(tell) {
                break;
            }
        }
        let (root, state) = (self.task.root, self.task.state);
        self.search.agree(&self.task, (root, state), AGREED, &mut HashSet::new());
    }

    /// Room for new nodes, at the end of the graph while that may grow, then where nodes have been taken away.
    fn make_rooms(&mut self, office: &Office<'_, G>, workers: &[Mutex<Worker<'_, G>>], crew: &Crew) {
        let threads = workers.len();
        let root = self.task.root;
        self.widest = self.widest.max(slots_of(self.search.graph.len(root)));
        let widest = self.widest;
        let slots = self.search.graph.slots().clamp(FEWEST_SLOTS.max(threads * ROOM), MOST_SLOTS.max(threads * ROOM));
        self.enlarge_table(office, workers, crew, (slots, widest));
        self.rooms = self.search.graph.new_rooms(slots, ROOM.max(4 * widest));
        if self.rooms.is_empty() {
            // Copies of nodes that are taken away must not be passed on later.
            self.leg(office, workers, crew, Duty::Merge(0));
            let slots = (self.search.graph.slots() / 8).max(8 * threads * widest);
            self.rooms = self.search.graph.recycled_rooms(slots, 4 * widest, &|id| id == root);
            desk(office).era += 1;
        }
    }

    /// Has the table grow for the nodes to be expected.
    fn enlarge_table(
        &mut self,
        office: &Office<'_, G>,
        workers: &[Mutex<Worker<'_, G>>],
        crew: &Crew,
        (slots, widest): (usize, usize),
    ) {
        let graph = &mut self.search.graph;
        let end = graph.buckets_to_expect(slots, widest) + graph.table.len();
        while self.search.graph.table.len() < end {
            let table = &mut self.search.graph.table;
            let added = table.extend(end - table.len());
            if added.len() < FEW_BUCKETS {
                let common = Common::take_over(&mut self.search.graph, Vec::new());
                common.split(added);
                common.give_back(&mut self.search.graph);
            } else {
                let n = added.len().div_ceil(workers.len());
                self.leg(office, workers, crew, Duty::Split(added, n));
            }
            self.search.graph.table.end_round();
        }
    }

    /// Lends the graph for a leg in which all do the same.
    fn leg(&mut self, office: &Office<'_, G>, workers: &[Mutex<Worker<'_, G>>], crew: &Crew, duty: Duty) {
        let searches = duty == Duty::Search;
        let rooms = if searches { std::mem::take(&mut self.rooms) } else { Vec::new() };
        let common = Common::take_over(&mut self.search.graph, rooms);
        {
            let mut desk = desk(office);
            (desk.common, desk.duty) = (Some(common), duty);
        }
        let begun = Instant::now();
        let threads = workers.len() as u64;
        let mut is_due = || searches && self.is_due(office, threads, begun);
        crew.leg(|is_due| lock(&workers[0]).work(office, crew, is_due), &mut is_due);
        let common = desk(office).common.take().expect("it was lent");
        let too_wide = common.too_wide();
        let rooms = common.give_back(&mut self.search.graph);
        // Rooms that are too narrow for some node are left, and wider ones made.
        if searches && too_wide == 0 {
            self.rooms = rooms;
        }
        self.widest = self.widest.max(too_wide);
        self.copies_bytes = 0;
        for worker in workers {
            let mut worker = lock(worker);
            worker.hand_in(&mut self.search.graph);
            self.copies_bytes += worker.bytes();
        }
        (self.search.playouts, self.search.nodes) = office.quota.spent();
    }

    /// Whether all are to rest.
    fn is_due(&mut self, office: &Office<'_, G>, threads: u64, begun: Instant) -> bool {
        let (playouts, nodes) = office.quota.spent();
        if playouts < self.next_look {
            return self.over;
        }
        // Whether a choice is clear is told when all rest.
        let Some(stretch) = self.clock.next_stretch(playouts, nodes, || Standing::UNCLEAR) else {
            self.over = true;
            return true;
        };
        self.next_look = playouts + stretch.min(threads * PACKET);
        office.packet.store((stretch / threads).clamp(1, PACKET), Ordering::Relaxed);
        // In the end everybody's copies are merged.
        let merger = MERGER_OF_SLOT * office.copied.load(Ordering::Relaxed) as u32;
        self.over = self.over || self.watch.stopped() || self.clock.time_left().is_some_and(|left| left <= merger);
        let now = Instant::now();
        self.over
            || now.duration_since(self.last_told) >= PROGRESS_EVERY
            || self.may_end_early && now.duration_since(begun) >= LONGEST
    }

    /// While all rest: whether the search is to go on.
    fn goes_on(&mut self, tell: bool) -> bool {
        let (search, task) = (&*self.search, &self.task);
        if self.may_end_early
            && self.budget.next_stretch(search.playouts, search.nodes, || search.standing(task)).is_none()
            || self.plays_forced && search.graph.len(task.root) == 1
        {
            return false;
        }
        if !tell {
            return true;
        }
        self.last_told = Instant::now();
        let report = self.report();
        self.watch.progress(&report) == Flow::Continue
    }

    /// The answer as things stand.
    pub(super) fn report(&self) -> Report<G::Move> {
        let (search, task) = (&*self.search, &self.task);
        let view = search.view(&task.rules, task.root, task.game.to_move(task.state));
        let totals = Totals {
            playouts: search.playouts,
            nodes: search.graph.held(),
            memory_bytes: (search.graph.bytes() + self.copies_bytes) as u64,
            reused: self.reused,
            elapsed: self.budget.elapsed(),
        };
        search.report_of(task, &view, &|edge| search.line(task, edge), &totals)
    }
}

fn desk<'a, G: Game>(office: &'a Office<'_, G>) -> RwLockWriteGuard<'a, Desk<G::Move>> {
    office.desk.write().unwrap_or_else(PoisonError::into_inner)
}
