//! One search per thread, each in a graph of its own; what they say about the root's moves is put together.
//!
//! The search goes in rounds. In a round every thread makes so many playouts by itself; between rounds proofs about the
//! root's moves are shared, and what all say together decides whether to go on. Without a limit in time the rounds are cut
//! by counts alone, so that the same search gives the same report; pauses for whoever looks on fall anywhere.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use banyan_core::{Flow, Game, Limits, Report, Side, Situation, Watch};

use super::crew::Crew;
use super::lock;
use crate::budget::{Budget, EarlyEnd, Standing};
use crate::mcts::bounds::Packed;
use crate::mcts::graph::{Edge, NodeId};
use crate::mcts::mind::Mind;
use crate::mcts::outcome::{Totals, View, standing_of};
use crate::mcts::search::Search;
use crate::mcts::task::{Rules, Task};
use crate::mcts::{Config, MOST_VISITS, PROGRESS_EVERY};

/// A thread's playouts in the first round, and at least in any other; beyond that a round makes this part of those made
/// before. Guesses, untuned: a meeting costs some 50 µs, and what is proven in a round stops nobody before its end.
const SHORTEST_ROUND: u64 = 512;
const PART: u64 = 4;
/// A round that time ends takes so long at least where all together may end the search early, and at most. Guesses, untuned.
const SHORTEST: Duration = Duration::from_millis(2);
const LONGEST: Duration = Duration::from_millis(40);

/// What is the same for all.
struct Common<'a, G: Game> {
    game: &'a G,
    config: &'a Config,
    state: &'a G::State,
    rules: Rules,
    mover: Side,
    plies_left: u16,
    /// Whether time is limited, by which all end together.
    timed: bool,
    /// Whether what all say together may end the search before that.
    may_end_early: bool,
}

impl<'a, G: Game> Common<'a, G> {
    fn new(config: &'a Config, at: &Situation<'a, G>, limits: &Limits) -> Common<'a, G> {
        let game = at.game;
        Common {
            game,
            config,
            state: at.state,
            rules: Rules::new(game, config),
            mover: game.to_move(at.state),
            plies_left: game.max_plies().saturating_sub(game.ply(at.state)),
            timed: limits.time.is_some() || limits.clock.is_some(),
            may_end_early: config.may_end_early(limits),
        }
    }

    fn task(&self, root: NodeId) -> Task<'a, G> {
        Task { game: self.game, config: self.config, root, state: self.state, rules: self.rules }
    }
}

/// One thread's search.
struct Member<'a, G: Game> {
    search: &'a mut Search<G>,
    root: NodeId,
    reused: f64,
    /// Its part of the limits, and what it has spent of that, by the clock of its own thread.
    limits: Limits,
    budget: Option<Budget>,
    /// Playouts at which the round ends.
    target: u64,
    stretch: u64,
    /// Visits the root may still get.
    room: u64,
    /// Whether nothing is left to spend, be it time as far as this thread can tell.
    spent_all: bool,
    /// Moves of the root that it was the first to settle.
    proved: Vec<G::Move>,
}

/// Searches until the budget is spent.
pub(in crate::mcts) fn search<G: Game>(
    config: &Config,
    minds: &mut [Mind<G>],
    at: &Situation<'_, G>,
    limits: &Limits,
    watch: &mut dyn Watch<G::Move>,
) -> Report<G::Move> {
    let common = Common::new(config, at, limits);
    let mut budget = Budget::start(limits, common.plies_left, config.early_stop());
    let members: Vec<Mutex<Member<'_, G>>> = gather(&common, minds, at, limits).into_iter().map(Mutex::new).collect();
    let settled = members.iter().any(|member| lock(member).is_settled());
    // Whoever has nothing to spend need not be called.
    let helpers = members.iter().skip(1).filter(|member| !lock(member).spent_all).count();
    if !settled {
        let work = |number: usize, crew: &Crew| lock(&members[number]).work(&common, crew, &mut || false);
        Crew::with(helpers, &work, |crew| lead(crew, &common, &members, (&mut budget, limits), watch));
    }
    let mut members: Vec<MutexGuard<'_, Member<'_, G>>> = members.iter().map(lock).collect();
    for member in &mut members {
        let task = common.task(member.root);
        member.search.finish(task);
    }
    share_proofs(&common, &mut members);
    report(&common, &members, budget.elapsed())
}

/// Everybody at the root with a part of the limits.
fn gather<'a, G: Game>(
    common: &Common<'_, G>,
    minds: &'a mut [Mind<G>],
    at: &Situation<'_, G>,
    limits: &Limits,
) -> Vec<Member<'a, G>> {
    let n = minds.len() as u64;
    let mut favoured = None;
    let mut members = Vec::with_capacity(minds.len());
    for (mind, number) in minds.iter_mut().zip(0..) {
        let (root, reused) = mind.root(common.config, at, common.rules);
        let search = &mut mind.search;
        if number == 0 {
            search.favour(&common.task(root));
            favoured = search.scouts.favoured();
        }
        search.scouts.set_favoured(favoured);
        let part = |limit: Option<u64>| limit.map(|limit| limit / n + u64::from(number < limit % n));
        let limits = Limits { playouts: part(limits.playouts), nodes: part(limits.nodes), ..*limits };
        // However small the budget, the first makes a playout.
        let idle = number > 0 && (limits.playouts == Some(0) || limits.nodes == Some(0));
        let room = (MOST_VISITS / n).saturating_sub(search.graph.total_visits(root));
        let (budget, target) = (None, if common.timed { u64::MAX } else { SHORTEST_ROUND });
        let (stretch, spent_all, proved) = (1, idle, Vec::new());
        members.push(Member { search, root, reused, limits, budget, target, stretch, room, spent_all, proved });
    }
    members
}

impl<G: Game> Member<'_, G> {
    fn is_settled(&self) -> bool {
        self.search.graph.is_settled(self.root)
    }

    /// Whether there is nothing more to do in this round.
    fn is_done(&self) -> bool {
        self.spent_all || self.search.spent() >= self.target || self.is_settled()
    }

    /// Searches until the round is done, the crew is told to pause or `is_due` says so.
    fn work(&mut self, common: &Common<'_, G>, crew: &Crew, is_due: &mut dyn FnMut() -> bool) {
        let begin = || Budget::start(&self.limits, common.plies_left, EarlyEnd::NEVER);
        let mut budget = self.budget.take().unwrap_or_else(begin);
        while !self.is_done() {
            self.run_stretch(common, &mut budget);
            if common.timed && self.is_settled() {
                crew.pause();
            }
            if is_due() {
                crew.pause();
            }
            if crew.is_paused() {
                break;
            }
        }
        self.budget = Some(budget);
    }

    fn run_stretch(&mut self, common: &Common<'_, G>, budget: &mut Budget) {
        let task = common.task(self.root);
        let spent = self.search.spent();
        let left = budget.playouts_left(spent, self.search.nodes).min(self.room.saturating_sub(spent)).max(1);
        let plain = self.search.is_plain(common.config);
        self.search.run(task, self.stretch.min(self.target - spent), left, plain);
        if common.timed {
            // Leaves that wait are not paid for yet.
            self.search.finish(common.task(self.root));
        }
        let (spent, nodes) = (self.search.spent(), self.search.nodes);
        // Whether a choice is clear is for all to say together.
        let next = budget.next_stretch(spent, nodes, || Standing::UNCLEAR);
        self.stretch = next.unwrap_or(0).min(self.room.saturating_sub(spent));
        self.spent_all = self.stretch == 0;
    }
}

/// Leads all through the rounds until the budget is spent.
fn lead<G: Game>(
    crew: &Crew,
    common: &Common<'_, G>,
    members: &[Mutex<Member<'_, G>>],
    (budget, limits): (&mut Budget, &Limits),
    watch: &mut dyn Watch<G::Move>,
) {
    let mut last_told = Instant::now();
    loop {
        let shortest = if common.may_end_early { SHORTEST } else { LONGEST };
        let end = Instant::now() + (budget.elapsed() / PART as u32).clamp(shortest, LONGEST);
        let mut stopped = false;
        let mut is_due = || {
            let now = Instant::now();
            stopped = stopped || watch.stopped();
            stopped || common.timed && now >= end || now.duration_since(last_told) >= PROGRESS_EVERY
        };
        crew.leg(|is_due| lock(&members[0]).work(common, crew, is_due), &mut is_due);
        let mut all: Vec<MutexGuard<'_, Member<'_, G>>> = members.iter().map(lock).collect();
        let ended = common.timed || all.iter().all(|member| member.is_done());
        if stopped || ended && !goes_on(common, &mut all, (budget, limits)) {
            return;
        }
        if last_told.elapsed() >= PROGRESS_EVERY {
            last_told = Instant::now();
            if watch.progress(&report(common, &all, budget.elapsed())) == Flow::Stop {
                return;
            }
        }
    }
}

/// At the end of a round: whether there is to be another, which is then prepared.
fn goes_on<G: Game>(
    common: &Common<'_, G>,
    members: &mut [MutexGuard<'_, Member<'_, G>>],
    (budget, limits): (&mut Budget, &Limits),
) -> bool {
    share_proofs(common, members);
    let forced = common.config.plays_forced(limits) && members[0].search.graph.len(members[0].root) == 1;
    let spent = members.iter().all(|member| member.spent_all);
    if forced || spent || members.iter().any(|member| member.is_settled()) {
        return false;
    }
    let playouts = members.iter().map(|member| member.search.spent()).sum();
    let nodes = members.iter().map(|member| member.search.nodes).sum();
    let standing = || standing_of(&common.task(members[0].root), &view(common, members), common.mover);
    if budget.next_stretch(playouts, nodes, standing).is_none() {
        return false;
    }
    if !common.timed {
        for member in members {
            let spent = member.search.spent();
            member.target = spent + (spent / PART).max(SHORTEST_ROUND);
        }
    }
    true
}

/// What one has proven about a move of the root holds for all.
fn share_proofs<G: Game>(common: &Common<'_, G>, members: &mut [MutexGuard<'_, Member<'_, G>>]) {
    if !common.rules.proves() {
        return;
    }
    let mut proven: Vec<(G::Move, Packed)> = Vec::new();
    for member in members.iter() {
        let graph = &member.search.graph;
        for edge in graph.edges(member.root) {
            let (mv, bounds) = (graph.mv(edge), graph.edge_bounds(edge));
            match proven.iter_mut().find(|(other, _)| *other == mv) {
                Some((_, known)) => *known = known.and(bounds),
                None => proven.push((mv, bounds)),
            }
        }
    }
    let is_new = |mv: G::Move, members: &[MutexGuard<'_, Member<'_, G>>]| {
        members.iter().all(|member| !member.proved.contains(&mv))
    };
    for &(mv, known) in proven.iter().filter(|(_, known)| known.settles(common.rules.reward)) {
        if is_new(mv, members) {
            let has = |member: &MutexGuard<'_, Member<'_, G>>| {
                let graph = &member.search.graph;
                graph.edges(member.root).any(|edge| graph.mv(edge) == mv && graph.edge_bounds(edge) == known)
            };
            let first = members.iter().position(has).unwrap_or(0);
            members[first].proved.push(mv);
        }
    }
    for member in members {
        let (root, graph) = (member.root, &mut member.search.graph);
        for edge in graph.edges(root) {
            let known = proven.iter().find(|&&(mv, _)| mv == graph.mv(edge)).expect("all moves have been listed").1;
            graph.set_edge_bounds(edge, known);
        }
        member.search.draw_conclusions(&common.rules, root, common.mover);
    }
}

/// What all know about the root's moves.
fn view<G: Game>(common: &Common<'_, G>, members: &[MutexGuard<'_, Member<'_, G>>]) -> View {
    let first = &members[0];
    let mut view = first.search.view(&common.rules, first.root, common.mover);
    for other in &members[1..] {
        first.search.add_to_view(&mut view, other.search, other.root, (&common.rules, common.mover));
    }
    view
}

/// The answer of all as things stand.
fn report<G: Game>(
    common: &Common<'_, G>,
    members: &[MutexGuard<'_, Member<'_, G>>],
    elapsed: Duration,
) -> Report<G::Move> {
    let first = &members[0];
    let totals = Totals {
        playouts: members.iter().map(|member| member.search.playouts).sum(),
        nodes: members.iter().map(|member| member.search.graph.held()).sum(),
        memory_bytes: members.iter().map(|member| member.search.graph.bytes() as u64).sum(),
        reused: members.iter().map(|member| member.reused).sum::<f64>() / members.len() as f64,
        elapsed,
    };
    let line = |edge| line(common, members, edge);
    first.search.report_of(&common.task(first.root), &view(common, members), &line, &totals)
}

/// The line after a move of the first member's root: that of whoever settled the move, since others were only told, else of
/// whoever has looked into it most.
fn line<G: Game>(common: &Common<'_, G>, members: &[MutexGuard<'_, Member<'_, G>>], edge: Edge) -> Vec<G::Move> {
    let mv = members[0].search.graph.mv(edge);
    let theirs = members.iter().rev().filter_map(|member| {
        let graph = &member.search.graph;
        graph.edges(member.root).find(|&edge| graph.mv(edge) == mv).map(|edge| (member, edge))
    });
    let knows_most = |(member, edge): &(&MutexGuard<'_, Member<'_, G>>, Edge)| {
        (member.proved.contains(&mv), member.search.graph.tally(*edge).visits)
    };
    let (member, edge) = theirs.max_by_key(knows_most).expect("the first member has the edge");
    member.search.line(&common.task(member.root), edge)
}
