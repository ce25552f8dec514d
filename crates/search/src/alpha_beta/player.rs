//! The alpha-beta player: iterative deepening, and the best move of the last depth or the one under way.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::RwLock;
use std::time::Duration;

use banyan_core::{
    Bounds, Fault, Game, Knowledge, Limits, MoveStat, Plain, Player, Report, SearchObserver, Situation, sort_by_order,
};

use super::config::AlphaBetaConfig;
use super::context::Context;
use super::coordination::Coordination;
use super::deepen::{DeepeningMonitor, IterativeDeepening, Plan};
use super::lines::Lines;
use super::memory::Memory;
use super::params::Params;
use super::principal_variation::principal_variation;
use super::root::{Root, RootMove};
use super::score::{INFINITE, relative_scores};
use super::search_monitor::SearchMonitor;
use super::stop_condition::StopCondition;
use super::transposition_table::{TranspositionTable, read_table};
use crate::budget::TimeForMove;
use crate::options::{Reuse, Reward};
use crate::panicked;
use crate::reward::expected_reward;

/// Moves whose principal variations are read from the table at the end: on a large board all of them would take
/// milliseconds.
const MAX_PVS: usize = 8;

/// The result of a search to a fixed depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthResult<M> {
    /// The best move.
    pub best: M,
    /// The expected final margin, scored points included, seen by the first side, in units of 1 / [`FINE`](banyan_core::FINE) of a point.
    pub points: i32,
    /// Proven bounds of the final margin.
    pub bounds: Bounds,
    /// Positions visited.
    pub nodes: u64,
    /// Positions evaluated at the horizon.
    pub n_evals: u64,
}

/// Negamax, PVS or MTD(f), deepened iteratively, with an evaluation at the horizon.
///
/// ```
/// # use banyan_testkit::chain::Chain;
/// use banyan_core::{Game, Limits, Player};
/// use banyan_search::{Algorithm, AlphaBeta, AlphaBetaConfig};
///
/// let game = Chain { tokens: 10, extra_turn_at: None };
/// let mut config = AlphaBetaConfig::new(Algorithm::Pvs);
/// config.set_all("depth=8,table-mib=16")?;
/// let mut player = AlphaBeta::new(config);
/// let report = player.analyse(&game, &game.start(), &Limits::default())?;
/// // Eight tokens are left, of which every reply leaves fewer: the game is won.
/// assert_eq!((report.best, report.win_rate()), (2, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct AlphaBeta<G: Game, K = Plain> {
    config: AlphaBetaConfig,
    memory: Memory<G, K>,
    table: Option<RwLock<TranspositionTable>>,
    /// The start of the game whose positions the table holds.
    start: Option<G::State>,
    /// The depth that the last search of this game finished where there was a choice; 0 before.
    last_depth: u32,
}

impl<G: Game> AlphaBeta<G> {
    /// A search with these settings, without game knowledge beyond the rules.
    pub fn new(config: AlphaBetaConfig) -> AlphaBeta<G> {
        AlphaBeta::with_knowledge(config, Plain)
    }
}

impl<G: Game, K: Knowledge<G> + Clone> AlphaBeta<G, K> {
    /// A search with these settings and game knowledge, of which each thread gets a copy. Limits on playouts count the
    /// positions evaluated at the horizon.
    pub fn with_knowledge(config: AlphaBetaConfig, knowledge: K) -> AlphaBeta<G, K> {
        AlphaBeta { config, memory: Memory::new(knowledge), table: None, start: None, last_depth: 0 }
    }

    /// The settings of the search.
    pub fn config(&self) -> &AlphaBetaConfig {
        &self.config
    }

    /// Searches a position that is not terminal `depth` plies deep, at least one, without any limit: with a table by
    /// iterative deepening, else directly. All positions must be of one board until the next
    /// [`new_game`](Player::new_game).
    pub fn search_to_depth(&mut self, game: &G, state: &G::State, depth: u32) -> DepthResult<G::Move> {
        self.search_within(game, state, depth, u64::MAX).expect("the search has no limits")
    }

    /// Searches a position like [`search_to_depth`](Self::search_to_depth), with a limit of about `max_nodes`
    /// positions: the result of the deepest finished depth; `None` if none was finished.
    pub(super) fn search_within(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        max_nodes: u64,
    ) -> Option<DepthResult<G::Move>> {
        let params = Params::with_horizon(game, &self.config);
        self.prepare(game, params, self.config.reuse == Reuse::None);
        let last = depth.max(1);
        let limits = Limits { nodes: Some(max_nodes), ..Limits::default() };
        let coordination = Coordination::new(self.config.n_threads(), &limits);
        let context = Context { game, state, params, table: self.table.as_ref(), coordination };
        let first = if context.table.is_some() { 1 } else { last };
        let plan = Plan { config: &self.config, context, first, last };
        let deepening = plan.run(&mut self.memory, &mut UpTo(max_nodes));
        let (nodes, n_evals) = plan.context.coordination.counts();
        let points =
            i32::from(game.score(state).0) * params.unit + deepening.score * i32::from(game.to_move(state).sign());
        let bounds = deepening.root.bounds(deepening.proven.0, deepening.proven.1);
        (deepening.depth > 0).then_some(DepthResult { best: deepening.best, points, bounds, nodes, n_evals })
    }

    fn search(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Report<G::Move> {
        let mut params = Params::with_horizon(at.game, &self.config);
        if let Some(lines) = limits.lines {
            params.lines = Lines::of_number(lines);
        }
        // A game with another start may be on another board, whose positions have the same keys.
        let elsewhere = self.start.replace(at.start.clone()) != Some(at.start.clone());
        if elsewhere {
            self.last_depth = 0;
        }
        self.prepare(at.game, params, elsewhere || self.config.reuse == Reuse::None);
        let plies_left = at.game.plies_left(at.state).max(1);
        let last = u32::from(at.game.max_plies().saturating_sub(at.game.ply(at.state)))
            .min(self.config.depth_at(at.game.phase(at.state)))
            .min(limits.depth.unwrap_or(u32::MAX))
            .max(1);
        let coordination = Coordination::new(self.config.n_threads(), limits);
        let context = Context { game: at.game, state: at.state, params, table: self.table.as_ref(), coordination };
        let plan = Plan { config: &self.config, context, first: 1, last };
        let knowledge = self.memory.knowledge.clone();
        let best = Root::new(at.game, &knowledge, at.state, params).best();
        // The next searches will be about as deep as the last one.
        let plies_to_solve = plies_left.saturating_sub(self.last_depth.try_into().unwrap_or(u16::MAX));
        let time = TimeForMove::until_solved(limits, plies_left, plies_to_solve);
        let monitor = SearchMonitor::start(limits, time, observer, Report::bare(best, Duration::ZERO));
        let mut progress =
            Progress { plan: &plan, knowledge: knowledge.clone(), monitor, on_clock: limits.clock.is_some() };
        let deepening = plan.run(&mut self.memory, &mut progress);
        if deepening.root.moves.len() > 1 {
            self.last_depth = deepening.depth;
        }
        let report = report(&deepening, &plan.context, &knowledge, plan.context.coordination.counts(), MAX_PVS);
        Report { elapsed: progress.monitor.elapsed(), ..report }
    }

    /// Lays the table out for the game, and clears it if `anew`.
    fn prepare(&mut self, game: &G, params: Params, anew: bool) {
        let layout = params.layout(game);
        let kept = self.table.take().map(unlocked).filter(|table| table.layout() == layout);
        self.table = self.config.table_mib.map(|mib| {
            let mut table = kept.unwrap_or_else(|| TranspositionTable::new(layout, mib.max(1)));
            if anew {
                table.clear();
            }
            table.begin_search();
            RwLock::new(table)
        });
        self.memory.begin();
    }

    /// Clears the table.
    fn forget(&mut self) {
        self.table = None;
    }
}

fn unlocked(table: RwLock<TranspositionTable>) -> TranspositionTable {
    table.into_inner().expect("growing does not panic")
}

/// Stops after about this number of positions.
struct UpTo(u64);

impl StopCondition for UpTo {
    fn next_check(&mut self, nodes: u64, _n_evals: u64) -> Option<u64> {
        (nodes < self.0).then_some(self.0)
    }
}

impl<G: Game> DeepeningMonitor<G> for UpTo {
    fn continues(&mut self, _deepening: &IterativeDeepening<'_, G>, _counts: (u64, u64), _proven: bool) -> bool {
        true
    }
}

/// Applies the limits, and reports progress to the observer.
struct Progress<'a, G: Game, K> {
    plan: &'a Plan<'a, G>,
    knowledge: K,
    monitor: SearchMonitor<'a, G::Move>,
    on_clock: bool,
}

impl<G: Game, K> StopCondition for Progress<'_, G, K> {
    fn next_check(&mut self, nodes: u64, n_evals: u64) -> Option<u64> {
        self.monitor.next_check(nodes, n_evals)
    }
}

impl<G: Game, K: Knowledge<G>> DeepeningMonitor<G> for Progress<'_, G, K> {
    fn continues(&mut self, deepening: &IterativeDeepening<'_, G>, counts: (u64, u64), proven: bool) -> bool {
        // The variations of lines are looked at while the search runs.
        let n_pvs = deepening.root.params.lines.of(MAX_PVS);
        self.monitor.report = report(deepening, &self.plan.context, &self.knowledge, counts, n_pvs);
        let forced = self.on_clock && deepening.root.moves.len() == 1;
        !proven && !forced && self.monitor.has_time_for_more()
    }
}

/// The report with the principal variations of the first `n_pvs` moves. If the last depth was cut short, the scores are
/// those of the depth before, so that all bounds belong to one depth; only a better move found at the last depth has
/// its score from there.
fn report<G: Game>(
    deepening: &IterativeDeepening<'_, G>,
    context: &Context<'_, G>,
    knowledge: &impl Knowledge<G>,
    (nodes, playouts): (u64, u64),
    n_pvs: usize,
) -> Report<G::Move> {
    let root = &deepening.root;
    let range = relative_scores(
        root.game.margin_range(),
        root.game.score(root.state),
        root.game.to_move(root.state),
        root.params.unit,
    );
    let scale = knowledge.eval_scale(root.game);
    let depth = deepening.depth + u32::from(deepening.cut_short);
    let is_better = |mv: &RootMove<G>| mv.child.mv == root.best() && deepening.best != root.best();
    let n_lines = root.params.lines.of(root.moves.len());
    let lines = &root.moves[..if n_lines > 1 { n_lines } else { 0 }];
    // A line of the depth before may have a smaller bound since.
    let line = |mv: &RootMove<G>| {
        let is_line = lines.iter().any(|line| line.child.mv == mv.child.mv);
        let (score, _) = mv.line.filter(|&(_, searched)| is_line && searched.saturating_add(1) >= deepening.depth)?;
        Some(mv.finished.map_or(score, |finished| score.min(finished)))
    };
    let score = |mv: &RootMove<G>| {
        if deepening.depth == 0 || is_better(mv) { mv.score } else { line(mv).or(mv.finished) }
    };
    let proof = |lower: i32, upper: i32| (lower > range.0 || upper < range.1).then(|| root.bounds(lower, upper));
    let stat = |mv: &RootMove<G>| MoveStat {
        mv: mv.child.mv,
        visits: mv.nodes,
        value: value(root, scale, score(mv), mv.lower, mv.upper),
        margin: margin(root, score(mv), mv.lower, mv.upper),
        is_bound: mv.child.mv != root.best() && mv.lower < mv.upper && line(mv).is_none() && score(mv).is_some(),
        proof: proof(mv.lower, mv.upper),
        pv: vec![mv.child.mv],
    };
    let mut moves: Vec<(MoveStat<G::Move>, i32)> = root
        .moves
        .iter()
        .map(|mv| (stat(mv), score(mv).map_or(-INFINITE, |score| score.clamp(mv.lower, mv.upper))))
        .collect();
    // Lines by their values; of bounds those with the most positions below were the closest.
    sort_by_order(&mut moves[1..], |(a, a_score), (b, b_score)| match (a.is_bound, b.is_bound) {
        (false, false) => a_score > b_score,
        (true, true) => a.visits > b.visits,
        (a_bound, _) => !a_bound,
    });
    let mut moves: Vec<MoveStat<G::Move>> = moves.into_iter().map(|(stat, _)| stat).collect();
    {
        let table = context.table.map(read_table);
        for stat in moves.iter_mut().take(n_pvs) {
            stat.pv = principal_variation(root, knowledge, stat.mv, table.as_deref(), depth);
        }
    }
    let best = &root.moves[0];
    Report {
        best: best.child.mv,
        value: value(root, scale, score(best), root.lower, root.upper),
        margin: margin(root, score(best), root.lower, root.upper),
        proof: proof(root.lower, root.upper),
        pv: moves[0].pv.clone(),
        moves,
        playouts,
        depth: Some(deepening.depth),
        nodes,
        reused: 0.0,
        memory_bytes: context.bytes(),
        elapsed: Duration::ZERO,
        from_book: false,
    }
}

/// A score as an expected result for the mover: exact if the bounds decide the outcome, 0 without a score.
fn value<G: Game>(root: &Root<'_, G>, scale: i32, score: Option<i32>, lower: i32, upper: i32) -> f64 {
    let scored = scored(root);
    let outcome = |score: i32| (score + scored).signum();
    if outcome(lower) == outcome(upper) {
        return f64::from(outcome(lower));
    }
    let Some(score) = score else { return 0.0 };
    let total = score.clamp(lower, upper) + scored;
    expected_reward(Reward::Wdl, total, scale, root.game.margin_range()).into()
}

/// A score as an expected final margin for the mover, in points; `None` in a game that is only won, drawn or lost.
fn margin<G: Game>(root: &Root<'_, G>, score: Option<i32>, lower: i32, upper: i32) -> Option<f64> {
    let Bounds { lower: least, upper: most } = root.game.margin_range();
    let score = if lower == upper { Some(lower) } else { score };
    let score = score.filter(|_| least.0 < -1 || most.0 > 1)?;
    Some(f64::from(score.clamp(lower, upper) + scored(root)) / f64::from(root.params.unit))
}

/// Points scored so far, seen by the mover, as a score.
fn scored<G: Game>(root: &Root<'_, G>) -> i32 {
    i32::from(root.game.score(root.state).seen_by(root.game.to_move(root.state))) * root.params.unit
}

impl<G: Game, K: Knowledge<G> + Clone> Player<G> for AlphaBeta<G, K> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.search(at, limits, observer)));
        outcome.map_err(|panic| {
            // The panic may have left the table half written.
            self.forget();
            panicked::fault(&*panic)
        })
    }

    fn new_game(&mut self, _seed: u64) {
        self.forget();
        self.start = None;
        self.last_depth = 0;
    }
}
