//! The player: deepens a search step by step and answers with the best move of the last depth, or of the one under way.

use std::cmp::Reverse;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use banyan_core::{Bounds, FINE, Fault, Game, Heuristic, Limits, MoveStat, Player, Report, Situation, Watch};

use super::config::{Algorithm, AlphaBetaConfig};
use super::guess::Guess;
use super::line::expected_line;
use super::memory::Memory;
use super::root::{Root, RootMove};
use super::rules::Rules;
use super::search::{Found, INFINITE, Overseer, Search, Window, to_go};
use super::table::Table;
use super::warden::Warden;
use crate::mcts::{Reuse, Reward};
use crate::panicked;

/// Moves whose expected lines are read from the table at the end: on a large board all of them would take milliseconds.
const MOST_LINES: usize = 8;
/// A failed window is widened by this factor, and the second time without end. Guess.
const WIDEN: i32 = 4;

/// What a search to a fixed depth found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foresight<M> {
    /// The best move.
    pub best: M,
    /// The expected final margin, banked points included, seen by the first side, in units of 1 / [`FINE`] of a point.
    pub points: i32,
    /// What is proven about the final margin.
    pub bounds: Bounds,
    /// Positions visited.
    pub nodes: u64,
    /// Positions the heuristic was asked about.
    pub guesses: u64,
}

/// Negamax, PVS or MTD(f), deepened iteratively, with a heuristic at the horizon.
pub struct AlphaBeta<G: Game, H: Heuristic<G> = Guess> {
    config: AlphaBetaConfig,
    memory: Memory<G, H>,
    /// Where the game began whose positions the table holds.
    start: Option<G::State>,
}

impl<G: Game> AlphaBeta<G> {
    /// A search composed as `config` says.
    pub fn new(config: AlphaBetaConfig) -> AlphaBeta<G> {
        let guess = config.guess;
        AlphaBeta::with_heuristic(config, guess)
    }
}

impl<G: Game, H: Heuristic<G>> AlphaBeta<G, H> {
    /// The same, but positions at the horizon are taken for what `heuristic` says. Limits on playouts count the positions
    /// it is asked about.
    pub fn with_heuristic(config: AlphaBetaConfig, heuristic: H) -> AlphaBeta<G, H> {
        AlphaBeta { config, memory: Memory::new(heuristic, None), start: None }
    }

    /// What the search is composed from.
    pub fn config(&self) -> &AlphaBetaConfig {
        &self.config
    }

    /// Searches a position that is not over `depth` plies deep, at least one, without any limit: with a table one depth
    /// after another, else at once. All positions are of one board until the next [`new_game`](Player::new_game).
    pub fn foresee(&mut self, game: &G, state: &G::State, depth: u32) -> Foresight<G::Move> {
        self.foresee_within(game, state, depth, u64::MAX).expect("nobody stops it")
    }

    /// The same with at most about so many positions: what the deepest search that was finished by then found; `None` if
    /// none was.
    pub(super) fn foresee_within(
        &mut self,
        game: &G,
        state: &G::State,
        depth: u32,
        most_nodes: u64,
    ) -> Option<Foresight<G::Move>> {
        let rules = Rules::with_horizon(game, &self.config);
        self.prepare(game, rules, self.config.reuse == Reuse::None);
        let mut root = Root::new(game, state, rules);
        let mut until = UpTo(most_nodes);
        let mut search = self.memory.search(game, state, rules, &mut until);
        let depth = depth.max(1);
        let mut foresight = None;
        let mut score = 0;
        for depth in if self.config.table_mib.is_some() { 1..=depth } else { depth..=depth } {
            let Some(found) = deepen(&self.config, &mut root, &mut search, depth, score) else { break };
            score = found.score;
            let points = i32::from(game.banked(state).0) * rules.unit + score * i32::from(game.to_move(state).sign());
            root.settle();
            let bounds = root.bounds(root.lower, root.upper);
            let (nodes, guesses) = (search.nodes, search.guesses);
            foresight = Some(Foresight { best: root.best(), points, bounds, nodes, guesses });
        }
        foresight
    }

    fn search(&mut self, at: &Situation<'_, G>, limits: &Limits, watch: &mut dyn Watch<G::Move>) -> Report<G::Move> {
        let rules = Rules::with_horizon(at.game, &self.config);
        // What began elsewhere may be another board, whose positions have the same keys.
        let elsewhere = self.start != Some(*at.start);
        self.start = Some(*at.start);
        self.prepare(at.game, rules, elsewhere || self.config.reuse == Reuse::None);
        let mut root = Root::new(at.game, at.state, rules);
        let plies_left = at.game.max_plies().saturating_sub(at.game.ply(at.state)).max(1);
        let mut warden = Warden::start(limits, plies_left, watch, Report::bare(root.best(), Duration::ZERO));
        let deepest = u32::from(plies_left)
            .min(self.config.depth.unwrap_or(u32::MAX))
            .min(limits.depth.unwrap_or(u32::MAX))
            .max(1);
        let (mut nodes, mut guesses, mut score) = (0, 0, 0);
        for depth in 1..=deepest {
            let mut search = self.memory.search(at.game, at.state, rules, &mut warden);
            (search.nodes, search.guesses) = (nodes, guesses);
            let found = deepen(&self.config, &mut root, &mut search, depth, score);
            (nodes, guesses) = (search.nodes, search.guesses);
            let counts = (nodes, guesses, self.memory.bytes());
            let Some(found) = found else {
                warden.report = report(&root, &self.memory, depth, counts, MOST_LINES);
                break;
            };
            // What is proven may have been so in pieces, while a guess put another move first.
            let settled = root.settle();
            warden.report = report(&root, &self.memory, depth, counts, 1);
            score = found.score;
            let forced = limits.clock.is_some() && root.moves.len() == 1;
            if settled || forced || depth == deepest || !warden.has_time_for_more() {
                warden.report = report(&root, &self.memory, depth, counts, MOST_LINES);
                break;
            }
        }
        Report { elapsed: warden.elapsed(), ..warden.report }
    }

    /// Makes the table fit the game, and empty if `anew`.
    fn prepare(&mut self, game: &G, rules: Rules, anew: bool) {
        let layout = rules.layout(game);
        match (&mut self.memory.table, self.config.table_mib) {
            (Some(table), Some(_)) if table.layout() == layout && anew => table.clear(),
            (Some(table), Some(_)) if table.layout() == layout => {}
            (table, mib) => *table = mib.map(|mib| Table::new(layout, mib.max(1))),
        }
        self.memory.begin();
    }
}

/// Stops after so many positions.
struct UpTo(u64);

impl Overseer for UpTo {
    fn ask_again_at(&mut self, nodes: u64, _guesses: u64) -> Option<u64> {
        (nodes < self.0).then_some(self.0)
    }
}

/// Searches the root to `depth`; the last depth found `score`.
fn deepen<G: Game, H: Heuristic<G>>(
    config: &AlphaBetaConfig,
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, H>,
    depth: u32,
    score: i32,
) -> Option<Found> {
    match config.algorithm {
        Algorithm::Mtdf => home_in(root, search, depth, score),
        Algorithm::Negamax | Algorithm::Pvs => {
            let reach = config.window.filter(|_| depth > 1).map(|points| (points * FINE as f32) as i32);
            aspire(root, search, depth, score, reach.unwrap_or(INFINITE / WIDEN / 2))
        }
    }
}

/// Expects the value within `reach` of `score`, and widens the window where it is not.
fn aspire<G: Game, H: Heuristic<G>>(
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, H>,
    depth: u32,
    score: i32,
    reach: i32,
) -> Option<Found> {
    let (mut below, mut above) = (reach, reach);
    let mut window = Window { alpha: score - reach, beta: score + reach };
    loop {
        // No value lies outside of what is provable.
        let asked = Window { alpha: window.alpha.max(root.least - 1), beta: window.beta.min(root.most + 1) };
        let asked =
            if asked.alpha < asked.beta { asked } else { Window { alpha: root.least - 1, beta: root.most + 1 } };
        let found = root.search(search, depth, asked)?;
        if found.score <= asked.alpha && asked.alpha >= root.least {
            below = if below == reach { reach.saturating_mul(WIDEN) } else { INFINITE };
            window.alpha = found.score.saturating_sub(below).max(-INFINITE);
        } else if found.score >= asked.beta && asked.beta <= root.most {
            above = if above == reach { reach.saturating_mul(WIDEN) } else { INFINITE };
            window.beta = found.score.saturating_add(above).min(INFINITE);
        } else {
            return Some(found);
        }
    }
}

/// MTD(f), Plaat et al. 1996, figure 2.
fn home_in<G: Game, H: Heuristic<G>>(
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, H>,
    depth: u32,
    guess: i32,
) -> Option<Found> {
    let (mut lower, mut upper) = (root.least, root.most);
    if lower >= upper {
        // The value is known; which move reaches it is still to be found.
        return root.search(search, depth, Window::null(lower - 1));
    }
    let mut found = Found { score: guess.clamp(lower, upper), full: false };
    let mut full = (false, false);
    while lower < upper {
        let beta = if found.score == lower { lower + 1 } else { found.score };
        found = root.search(search, depth, Window::null(beta - 1))?;
        if found.score < beta {
            (upper, full.1) = (found.score.max(lower), found.full);
        } else {
            (lower, full.0) = (found.score.min(upper), found.full);
        }
    }
    Some(Found { score: lower, full: full.0 && full.1 })
}

/// What is known of the root after searches to `depth`, with the expected lines of so many moves.
fn report<G: Game, H: Heuristic<G>>(
    root: &Root<'_, G>,
    memory: &Memory<G, H>,
    depth: u32,
    (nodes, playouts, memory_bytes): (u64, u64, u64),
    lines: usize,
) -> Report<G::Move> {
    let range =
        to_go(root.game.margin_range(), root.game.banked(root.state), root.game.to_move(root.state), root.rules.unit);
    let proof = |lower: i32, upper: i32| (lower > range.0 || upper < range.1).then(|| root.bounds(lower, upper));
    let stat = |mv: &RootMove<G>| MoveStat {
        mv: mv.child.mv,
        visits: mv.nodes,
        value: value(root, mv.score, mv.lower, mv.upper),
        proof: proof(mv.lower, mv.upper),
        pv: vec![mv.child.mv],
    };
    let mut moves: Vec<MoveStat<G::Move>> = root.moves.iter().map(stat).collect();
    // Of the others only bounds are known; those with the most work below came closest.
    moves[1..].sort_by_key(|stat| Reverse(stat.visits));
    for stat in moves.iter_mut().take(lines) {
        stat.pv = expected_line(root, stat.mv, memory, depth);
    }
    let best = &root.moves[0];
    Report {
        best: best.child.mv,
        value: value(root, best.score, root.lower, root.upper),
        proof: proof(root.lower, root.upper),
        pv: moves[0].pv.clone(),
        moves,
        playouts,
        nodes,
        reused: 0.0,
        memory_bytes,
        elapsed: Duration::ZERO,
    }
}

/// A score as an expected result for the mover: exact where both bounds leave no other, 0 where nothing is known.
fn value<G: Game>(root: &Root<'_, G>, score: Option<i32>, lower: i32, upper: i32) -> f64 {
    let banked = i32::from(root.game.banked(root.state).seen_by(root.game.to_move(root.state))) * root.rules.unit;
    let outcome = |score: i32| (score + banked).signum();
    if outcome(lower) == outcome(upper) {
        return f64::from(outcome(lower));
    }
    let Some(score) = score else { return 0.0 };
    let total = score.clamp(lower, upper) + banked;
    Reward::Sign.promised(total, root.game.estimate_scale(), root.game.margin_range()).into()
}

impl<G: Game, H: Heuristic<G>> Player<G> for AlphaBeta<G, H> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        watch: &mut dyn Watch<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.search(at, limits, watch)));
        outcome.map_err(|panic| {
            // Whatever was being written is in no state to go on with.
            self.memory.forget();
            panicked::fault(&*panic)
        })
    }

    fn new_game(&mut self, _seed: u64) {
        self.memory.forget();
        self.start = None;
    }
}
