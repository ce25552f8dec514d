//! All threads search one graph, without a lock (Enzenberger and Müller 2010, A Lock-free Multithreaded Monte-Carlo Tree
//! Search Algorithm), each through copies of its own of what it passes often (`mirror`).
//!
//! They run until memory has to be made, somebody wants to be told, the time is over or the root is settled. Then all rest,
//! and the graph is for a moment that of one thread: so growth and recycling are the same as ever.

mod among;
mod lead;
mod merge;
mod mirror;
mod quota;
mod top;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use banyan_core::{Game, Limits, Report, Situation, Watch};

use super::crew::Crew;
use super::lock;
use crate::budget::Budget;
use crate::mcts::common::Common;
use crate::mcts::graph::Graph;
use crate::mcts::mind::Mind;
use crate::mcts::search::Search;
use crate::mcts::task::{Rules, Task};
use crate::mcts::{Config, MOST_VISITS};
use among::Among;
use lead::Lead;
use mirror::Mirror;
use quota::Quota;

/// What everybody does in a leg.
#[derive(Clone, PartialEq, Eq)]
enum Duty {
    Search,
    /// Gives buckets added to the table their halves of others, so many at a time.
    Split(Range<usize>, usize),
    /// Passes on what was learnt at copies with so many visits.
    Merge(u64),
}

/// What is the same for all.
struct Office<'a, G: Game> {
    game: &'a G,
    config: &'a Config,
    state: &'a G::State,
    rules: Rules,
    /// The graph while it is lent, what is to be done with it, and how often nodes were taken away.
    desk: RwLock<Desk<G::Move>>,
    quota: Quota,
    /// Playouts to make between two looks.
    packet: AtomicU64,
    /// Slots of the leader's copies.
    copied: AtomicUsize,
    timed: bool,
}

struct Desk<M> {
    common: Option<Common<M>>,
    root: u32,
    duty: Duty,
    era: u32,
}

/// One thread's search in its copies.
struct Worker<'a, G: Game> {
    search: &'a mut Search<G>,
    mirror: Mirror,
    /// Which of the threads it is; the leader is number 0.
    number: usize,
    /// The era its copies are of.
    era: u32,
}

/// Searches until the budget is spent. The first mind has the graph, the others search it.
pub(in crate::mcts) fn search<G: Game>(
    config: &Config,
    minds: &mut [Mind<G>],
    at: &Situation<'_, G>,
    limits: &Limits,
    watch: &mut dyn Watch<G::Move>,
) -> Report<G::Move> {
    let game = at.game;
    let plies_left = game.max_plies().saturating_sub(game.ply(at.state));
    let budget = Budget::start(limits, plies_left, config.early_stop());
    let rules = Rules::new(game, config);
    let (first, others) = minds.split_first_mut().expect("a search has a mind");
    let (root, reused) = first.root(config, at, rules);
    let task = Task { game, config, root, state: at.state, rules };
    let search = &mut first.search;
    search.favour(&task);
    search.put_in_order(&task, root);
    let room = MOST_VISITS.saturating_sub(search.graph.total_visits(root));
    let office = Office {
        game,
        config,
        state: at.state,
        rules,
        desk: RwLock::new(Desk { common: None, root: root.0, duty: Duty::Search, era: 1 }),
        quota: Quota::new(limits, room),
        packet: AtomicU64::new(1),
        copied: AtomicUsize::new(0),
        timed: limits.time.is_some() || limits.clock.is_some(),
    };
    let mut lead = Lead::new(search, task, (budget, limits, plies_left), watch, reused);
    if !lead.is_settled() {
        let workers: Vec<Mutex<Worker<'_, G>>> = others
            .iter_mut()
            .enumerate()
            .map(|(number, mind)| Mutex::new(Worker::new(&mut mind.search, config, (number, lead.search()))))
            .collect();
        let work = |number: usize, crew: &Crew| lock(&workers[number]).work(&office, crew, &mut || false);
        Crew::with(workers.len() - 1, &work, |crew| lead.through(&office, &workers, crew));
    }
    lead.report()
}

impl<'a, G: Game> Worker<'a, G> {
    fn new(search: &'a mut Search<G>, config: &Config, (number, first): (usize, &Search<G>)) -> Worker<'a, G> {
        search.playouts = 0;
        search.nodes = 0;
        search.batch.clear();
        search.scouts.set_favoured(first.scouts.favoured());
        Worker { search, mirror: Mirror::new(config), number, era: 0 }
    }

    /// Does what is to be done until all is done, the crew is told to pause or `is_due` says so.
    fn work(&mut self, office: &Office<'_, G>, crew: &Crew, is_due: &mut dyn FnMut() -> bool) {
        let desk = office.desk.read().unwrap_or_else(PoisonError::into_inner);
        let common = desk.common.as_ref().expect("the graph is lent");
        self.search.graph.made = common.stamp();
        if self.era != desk.era {
            self.era = desk.era;
            self.copy_root(common, office, desk.root);
        }
        match desk.duty.clone() {
            Duty::Split(buckets, n) => {
                // Number by number: nobody else has the same.
                let first = buckets.start + self.number * n;
                let mine = first..(first + n).min(buckets.end);
                common.split(mine);
            }
            Duty::Merge(least) => self.in_company(common, |search, among| {
                among.merge_all(search, &office.rules, least);
            }),
            Duty::Search => {
                self.search_on(common, office, crew, (desk.root, is_due));
                common.vacate(&mut self.mirror.room);
            }
        }
    }

    /// Bytes taken by copies.
    fn bytes(&self) -> usize {
        self.search.graph.bytes() + self.mirror.bytes()
    }

    /// Counts what was made in the graph since the last time.
    fn hand_in(&mut self, graph: &mut Graph<G::Move>) {
        let room = &mut self.mirror.room;
        graph.made = graph.made.wrapping_add(std::mem::take(&mut room.made));
        graph.held += std::mem::take(&mut room.tried);
        graph.table.count_filed(std::mem::take(&mut room.filed));
    }

    /// Begins with nothing but a copy of the root.
    fn copy_root(&mut self, common: &Common<G::Move>, office: &Office<'_, G>, root: u32) {
        self.mirror.clear(&mut self.search.graph, common.any_move(root));
        let copy = self.mirror.copy(common, self.search, root, true);
        self.mirror.note_mover(copy, office.game.to_move(office.state));
    }

    fn in_company(&mut self, common: &Common<G::Move>, act: impl FnOnce(&mut Search<G>, &mut Among<'_, G>)) {
        act(self.search, &mut Among { common, mirror: &mut self.mirror });
    }

    fn search_on(
        &mut self,
        common: &Common<G::Move>,
        office: &Office<'_, G>,
        crew: &Crew,
        (root, is_due): (u32, &mut dyn FnMut() -> bool),
    ) {
        let copy = self.mirror.first();
        let Office { game, config, state, rules, .. } = *office;
        let task = || Task { game, config, root: copy, state, rules };
        let plain = self.search.is_plain(config);
        while !crew.is_paused() && !self.search.graph.is_settled(copy) {
            let packet = office.quota.take(office.packet.load(Ordering::Relaxed));
            if packet == 0 {
                break;
            }
            let before = (self.search.spent(), self.search.nodes);
            self.in_company(common, |search, among| {
                search.run_among(among, task(), packet, packet, plain);
                if office.timed {
                    // Leaves that wait are not paid for yet.
                    search.finish_among(among, task());
                }
            });
            let made = self.search.spent() - before.0;
            office.quota.settle(packet, made, self.search.nodes - before.1);
            if self.mirror.is_full(&self.search.graph) {
                self.in_company(common, |search, among| {
                    search.finish_among(among, task());
                    among.merge_all(search, &rules, 0);
                });
                self.copy_root(common, office, root);
            }
            if self.number == 0 {
                office.copied.store(self.search.graph.slots(), Ordering::Relaxed);
            }
            if common.is_short() || is_due() {
                crew.pause();
            }
        }
        self.in_company(common, |search, among| search.finish_among(among, task()));
        if self.search.graph.is_settled(copy) {
            crew.pause();
        }
    }
}
