//! Root parallelisation: one search per thread, each with its own graph; the statistics of the root's moves are merged.
//!
//! The search proceeds in rounds. In a round every thread makes a given number of playouts by itself; between rounds
//! proofs of the root's moves are shared, and the merged statistics decide whether to continue. Without a time limit
//! the rounds depend on counts alone, so that the same search gives the same report; pauses for the observer may happen
//! at any time.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use banyan_core::clock::Instant;
use banyan_core::{Flow, Game, Limits, Report, SearchObserver, Side, Situation};

use super::lock::lock;
use super::monitor::{MOST_VISITS, PROGRESS_EVERY};
use super::pool::Pool;
use crate::budget::{Budget, EarlyEnd, RootStatus};
use crate::mcts::report::{FinalMoveSelector, Totals, TreeView, principal_variation, report_of};
use crate::mcts::simulate::{Context, Search, Searcher};
use crate::mcts::tree::{Edge, Exclusive, Packed};
use crate::options::Config;

/// A thread's playouts in the first round, which are the minimum of any other; later rounds make this fraction of the
/// playouts made before. Guesses, untuned: the end of a round costs some 50 µs, and a proof stops other threads only
/// then.
const SHORTEST_ROUND: u64 = 512;
const PART: u64 = 4;
/// Shortest duration of a round with a time limit if the merged statistics may stop the search early, and longest
/// duration of any such round. Guesses, untuned.
const SHORTEST: Duration = Duration::from_millis(2);
const LONGEST: Duration = Duration::from_millis(40);

/// State shared by all threads.
struct Common<'a, G: Game> {
    context: Context<'a, G>,
    mover: Side,
    plies_left: u16,
    /// Whether time is limited, so that all threads stop together.
    timed: bool,
    /// Whether the merged statistics may stop the search early.
    may_end_early: bool,
}

impl<'a, G: Game> Common<'a, G> {
    fn new(config: &'a Config, at: &Situation<'a, G>, limits: &Limits) -> Common<'a, G> {
        let game = at.game;
        Common {
            context: Context { game, config, state: at.state },
            mover: game.to_move(at.state),
            plies_left: game.plies_left(at.state),
            timed: limits.time.is_some() || limits.clock.is_some(),
            may_end_early: config.may_end_early(limits),
        }
    }
}

/// One thread's search.
struct Member<'a, G: Game> {
    search: &'a mut Search<G>,
    reused: f64,
    /// Its share of the limits, and the part spent, by its own clock.
    limits: Limits,
    budget: Option<Budget>,
    /// Its playouts at the end of the round.
    target: u64,
    stretch: u64,
    /// Visits left to its root.
    visits_left: u64,
    /// Whether its share is spent, or its time by its own clock.
    spent_all: bool,
    /// Codes of the root moves that it was the first to solve.
    proved: Vec<u16>,
}

/// Searches until a stop condition holds.
pub(crate) fn search<G: Game>(
    config: &Config,
    searchers: &mut [Searcher<G>],
    at: &Situation<'_, G>,
    limits: &Limits,
    observer: &mut dyn SearchObserver<G::Move>,
) -> Report<G::Move> {
    let common = Common::new(config, at, limits);
    let mut budget = Budget::start(limits, common.plies_left, EarlyEnd::of(config));
    let members = start_members(&common, searchers, at, limits);
    let members: Vec<Mutex<Member<'_, G>>> = members.into_iter().map(Mutex::new).collect();
    let solved = members.iter().any(|member| lock(member).is_solved());
    // Threads without a share need no helper.
    let helpers = members.iter().skip(1).filter(|member| !lock(member).spent_all).count();
    if !solved {
        let work = |number: usize, pool: &Pool| lock(&members[number]).work(&common, pool, &mut || false);
        Pool::with(helpers, &work, &mut |pool| {
            coordinate(pool, &common, &members, (&mut budget, limits), &mut *observer)
        });
    }
    let mut members: Vec<MutexGuard<'_, Member<'_, G>>> = members.iter().map(lock).collect();
    for member in &mut members {
        member.search.finish(&common.context, &mut Exclusive);
    }
    share_proofs(&common, &mut members);
    report(&common, &members, budget.elapsed())
}

/// Every thread at its root, with its share of the limits.
fn start_members<'a, G: Game>(
    common: &Common<'_, G>,
    searchers: &'a mut [Searcher<G>],
    at: &Situation<'_, G>,
    limits: &Limits,
) -> Vec<Member<'a, G>> {
    let n = searchers.len() as u64;
    let mut preferred = None;
    let mut members = Vec::with_capacity(searchers.len());
    for (searcher, number) in searchers.iter_mut().zip(0..) {
        let reused = searcher.begin_at(common.context.config, at);
        let search = &mut searcher.search;
        if number == 0 {
            search.find_preferred_move(&common.context);
            preferred = search.tree.preferred;
        }
        search.tree.preferred = preferred;
        let part = |limit: Option<u64>| limit.map(|limit| limit / n + u64::from(number < limit % n));
        let limits = Limits { playouts: part(limits.playouts), nodes: part(limits.nodes), ..*limits };
        search.tree.limit_nodes(limits.nodes);
        // The first thread makes at least one playout.
        let idle = number > 0 && (limits.playouts == Some(0) || limits.nodes == Some(0));
        let visits_left = (MOST_VISITS / n).saturating_sub(search.tree.graph.total_visits(search.tree.root));
        let (budget, target) = (None, if common.timed { u64::MAX } else { SHORTEST_ROUND });
        let (stretch, spent_all, proved) = (1, idle, Vec::new());
        members.push(Member { search, reused, limits, budget, target, stretch, visits_left, spent_all, proved });
    }
    members
}

impl<G: Game> Member<'_, G> {
    fn is_solved(&self) -> bool {
        self.search.tree.is_solved()
    }

    /// Whether its part of this round is done.
    fn is_done(&self) -> bool {
        self.spent_all || self.search.tree.spent() >= self.target || self.is_solved()
    }

    /// Searches until its part of the round is done, the pool is paused or `is_due`.
    fn work(&mut self, common: &Common<'_, G>, pool: &Pool, is_due: &mut dyn FnMut() -> bool) {
        let begin = || Budget::start(&self.limits, common.plies_left, EarlyEnd::NEVER);
        let mut budget = self.budget.take().unwrap_or_else(begin);
        while !self.is_done() {
            self.run_stretch(common, &mut budget);
            if common.timed && self.is_solved() {
                pool.pause();
            }
            if is_due() {
                pool.pause();
            }
            if pool.is_paused() {
                break;
            }
        }
        self.budget = Some(budget);
    }

    fn run_stretch(&mut self, common: &Common<'_, G>, budget: &mut Budget) {
        let context = &common.context;
        let spent = self.search.tree.spent();
        let left = budget.playouts_left(spent).min(self.visits_left.saturating_sub(spent)).max(1);
        let playouts = self.stretch.min(self.target - spent);
        if self.search.is_plain(context.config) {
            self.search.simulate_plainly(context, &mut Exclusive, playouts, left);
        } else {
            self.search.simulate_in_batches(context, &mut Exclusive, (playouts, left), false);
        }
        if common.timed {
            // The time of pending leaves is not counted yet.
            self.search.finish(context, &mut Exclusive);
        }
        let (spent, nodes) = (self.search.tree.spent(), self.search.tree.nodes);
        // Whether the choice is clear is decided by the merged statistics.
        let next = budget.next_stretch(spent, nodes, &|| RootStatus::UNCLEAR);
        self.stretch = next.unwrap_or(0).min(self.visits_left.saturating_sub(spent));
        self.spent_all = self.stretch == 0;
    }
}

/// Coordinates the rounds until a stop condition holds.
fn coordinate<G: Game>(
    pool: &Pool,
    common: &Common<'_, G>,
    members: &[Mutex<Member<'_, G>>],
    (budget, limits): (&mut Budget, &Limits),
    observer: &mut dyn SearchObserver<G::Move>,
) {
    let mut last_progress = Instant::now();
    loop {
        let shortest = if common.may_end_early { SHORTEST } else { LONGEST };
        let end = Instant::now() + (budget.elapsed() / PART as u32).clamp(shortest, LONGEST);
        let mut stopped = false;
        let mut is_due = || {
            let now = Instant::now();
            stopped = stopped || observer.stopped();
            stopped || common.timed && now >= end || now.duration_since(last_progress) >= PROGRESS_EVERY
        };
        // The coordinator also does the work of helpers that the system refused.
        let own = members[..1].iter().chain(&members[1 + pool.helpers()..]);
        pool.phase(&mut |is_due| own.clone().for_each(|member| lock(member).work(common, pool, is_due)), &mut is_due);
        let mut all: Vec<MutexGuard<'_, Member<'_, G>>> = members.iter().map(lock).collect();
        let ended = common.timed || all.iter().all(|member| member.is_done());
        if stopped || ended && !continues(common, &mut all, (budget, limits)) {
            return;
        }
        if last_progress.elapsed() >= PROGRESS_EVERY {
            last_progress = Instant::now();
            if observer.progress(&report(common, &all, budget.elapsed())) == Flow::Stop {
                return;
            }
        }
    }
}

/// Called at the end of a round: whether there is another, which it prepares.
fn continues<G: Game>(
    common: &Common<'_, G>,
    members: &mut [MutexGuard<'_, Member<'_, G>>],
    (budget, limits): (&mut Budget, &Limits),
) -> bool {
    share_proofs(common, members);
    let (first, config) = (&members[0].search.tree, common.context.config);
    let forced = config.plays_forced(limits) && first.graph.len(first.root) == 1;
    let spent = members.iter().all(|member| member.spent_all);
    if forced || spent || members.iter().any(|member| member.is_solved()) {
        return false;
    }
    let playouts = members.iter().map(|member| member.search.tree.spent()).sum();
    let nodes = members.iter().map(|member| member.search.tree.nodes).sum();
    let root_status = || {
        let (tree, state) = (&members[0].search.tree, common.context.state);
        let (offset, guide) = (common.context.offset(&tree.params, state), common.context.guide(state));
        let selector = FinalMoveSelector { tree, config, mover: common.mover, offset, guide: &guide };
        selector.root_status(&view(common, members))
    };
    if budget.next_stretch(playouts, nodes, &root_status).is_none() {
        return false;
    }
    if !common.timed {
        for member in members {
            let spent = member.search.tree.spent();
            member.target = spent + (spent / PART).max(SHORTEST_ROUND);
        }
    }
    true
}

/// Shares proofs of the root's moves among all threads.
fn share_proofs<G: Game>(common: &Common<'_, G>, members: &mut [MutexGuard<'_, Member<'_, G>>]) {
    let params = members[0].search.tree.params;
    if !params.proves() {
        return;
    }
    let mut proven: Vec<(u16, Packed)> = Vec::new();
    for member in members.iter() {
        let tree = &member.search.tree;
        for edge in tree.graph.edges(tree.root) {
            let (code, bounds) = (tree.graph.code(edge), tree.graph.edge_bounds(edge));
            match proven.iter_mut().find(|(other, _)| *other == code) {
                Some((_, known)) => *known = known.and(bounds),
                None => proven.push((code, bounds)),
            }
        }
    }
    for &(code, known) in proven.iter().filter(|(_, known)| known.decides(params.reward)) {
        if members.iter().all(|member| !member.proved.contains(&code)) {
            let has = |member: &MutexGuard<'_, Member<'_, G>>| {
                let tree = &member.search.tree;
                let graph = &tree.graph;
                graph.edges(tree.root).any(|edge| graph.code(edge) == code && graph.edge_bounds(edge) == known)
            };
            let first = members.iter().position(has).unwrap_or(0);
            members[first].proved.push(code);
        }
    }
    for member in members {
        let tree = &mut member.search.tree;
        for edge in tree.graph.edges(tree.root) {
            let code = tree.graph.code(edge);
            let known = proven.iter().find(|&&(other, _)| other == code).expect("all moves have been listed").1;
            tree.graph.set_edge_bounds(edge, known);
        }
        tree.propagate_bounds(tree.root, common.mover);
    }
}

/// The merged statistics of the root's moves.
fn view<G: Game>(common: &Common<'_, G>, members: &[MutexGuard<'_, Member<'_, G>>]) -> TreeView {
    let first = &members[0].search.tree;
    let mut view = TreeView::of(first, first.root, common.mover);
    for other in &members[1..] {
        view.add(first, &other.search.tree, common.mover);
    }
    view
}

/// The current merged report.
fn report<G: Game>(
    common: &Common<'_, G>,
    members: &[MutexGuard<'_, Member<'_, G>>],
    elapsed: Duration,
) -> Report<G::Move> {
    let totals = Totals {
        playouts: members.iter().map(|member| member.search.tree.playouts).sum(),
        nodes: members.iter().map(|member| member.search.tree.graph.held()).sum(),
        memory_bytes: members.iter().map(|member| member.search.tree.bytes() as u64).sum(),
        reused: members.iter().map(|member| member.reused).sum::<f64>() / members.len() as f64,
        elapsed,
    };
    let first = &members[0].search.tree;
    report_of(
        &common.context,
        first,
        &view(common, members),
        &|edge| principal_variation_of(common, members, edge),
        &totals,
    )
}

/// The principal variation of a move of the first member's root: from the thread that solved the move, because the
/// others have only its bounds, else from the thread with the most visits of it.
fn principal_variation_of<G: Game>(
    common: &Common<'_, G>,
    members: &[MutexGuard<'_, Member<'_, G>>],
    edge: Edge,
) -> Vec<G::Move> {
    let code = members[0].search.tree.graph.code(edge);
    let theirs = members.iter().rev().filter_map(|member| {
        let tree = &member.search.tree;
        tree.graph.edges(tree.root).find(|&edge| tree.graph.code(edge) == code).map(|edge| (member, edge))
    });
    let knows_most = |(member, edge): &(&MutexGuard<'_, Member<'_, G>>, Edge)| {
        (member.proved.contains(&code), member.search.tree.graph.visits_of(*edge))
    };
    let (member, edge) = theirs.max_by_key(knows_most).expect("the first member has the edge");
    principal_variation(&common.context, &member.search.tree, edge)
}
