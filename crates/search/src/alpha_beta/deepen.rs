//! Iterative deepening: each depth starts from the value of the last one, on all threads.

use std::panic::resume_unwind;
use std::thread::{Scope, ScopedJoinHandle, scope};

use banyan_core::threads::spawn_scoped;
use banyan_core::{FINE, Game, Knowledge};

use super::config::{Algorithm, AlphaBetaConfig};
use super::context::Context;
use super::coordination::{NoMonitor, StopOnPanic, ThreadMonitor};
use super::lines::Lines;
use super::memory::Memory;
use super::multi_pv::search_lines;
use super::root::{Root, RootMove};
use super::score::{INFINITE, SearchResult, WIDEN, Window, widened};
use super::search::Search;
use super::stop_condition::StopCondition;

/// Decides after every depth whether to continue.
pub(super) trait DeepeningMonitor<G: Game>: StopCondition {
    /// Called when a depth is finished, with the positions and static evaluations of all threads; `proven` if the value
    /// and a move that reaches it are proven. Returns `false` to stop.
    fn continues(&mut self, deepening: &IterativeDeepening<'_, G>, counts: (u64, u64), proven: bool) -> bool;
}

/// The state of one thread's iterative deepening.
pub(super) struct IterativeDeepening<'a, G: Game> {
    pub(super) root: Root<'a, G>,
    /// The last finished depth, 0 before the first; its score and best move, and the bounds proven then.
    pub(super) depth: u32,
    pub(super) score: i32,
    pub(super) best: G::Move,
    pub(super) proven: (i32, i32),
    /// Whether the next depth was started and not finished.
    pub(super) cut_short: bool,
}

impl<'a, G: Game> IterativeDeepening<'a, G> {
    pub(super) fn new(root: Root<'a, G>) -> IterativeDeepening<'a, G> {
        let (best, proven) = (root.best(), (root.lower, root.upper));
        IterativeDeepening { root, depth: 0, score: 0, best, proven, cut_short: false }
    }

    /// Searches to this depth. `None` if it was stopped, else whether the value and a move that reaches it are proven, and the values of
    /// all further lines.
    fn advance<K: Knowledge<G>>(
        &mut self,
        config: &AlphaBetaConfig,
        search: &mut Search<'_, G, K>,
        depth: u32,
    ) -> Option<bool> {
        self.cut_short = true;
        let lines = self.root.params.lines;
        let score = match lines {
            Lines::Best(1) => to_depth(config, &mut self.root, search, depth, self.score)?.score,
            _ => search_lines(&mut self.root, search, lines, depth, self.score)?,
        };
        let n_lines = lines.of(self.root.moves.len());
        self.root.finish_depth(depth, score, n_lines);
        // The proof may have come from several searches, after which an evaluation put another move first.
        let proven = self.root.put_proven_first();
        (self.depth, self.score, self.cut_short) = (depth, score, false);
        (self.best, self.proven) = (self.root.best(), (self.root.lower, self.root.upper));
        let is_line_open = |mv: &RootMove<G>| mv.lower < mv.upper;
        Some(proven && (n_lines == 1 || !self.root.moves[..n_lines].iter().any(is_line_open)))
    }

    fn for_helper(&self, number: usize, n_threads: usize) -> IterativeDeepening<'a, G> {
        IterativeDeepening { root: self.root.for_helper(number, n_threads), ..*self }
    }
}

/// The depths to search, and their settings.
pub(super) struct Plan<'a, G: Game> {
    pub(super) config: &'a AlphaBetaConfig,
    pub(super) context: Context<'a, G>,
    pub(super) first: u32,
    pub(super) last: u32,
}

impl<G: Game> Plan<'_, G> {
    /// Searches depth after depth until the monitor stops it, and returns the final state.
    pub(super) fn run<'s, K: Knowledge<G> + Clone + 's>(
        &'s self,
        memory: &mut Memory<G, K>,
        monitor: &mut dyn DeepeningMonitor<G>,
    ) -> IterativeDeepening<'s, G> {
        let Context { game, state, params, ref coordination, .. } = self.context;
        let deepening = IterativeDeepening::new(Root::new(game, &memory.knowledge, state, params));
        if coordination.n_threads() == 1 {
            return self.deepen_with_helpers(deepening, memory, monitor, None);
        }
        scope(|scope| {
            let mut helpers = Vec::new();
            let help = Help { scope, helpers: &mut helpers };
            let deepening = self.deepen_with_helpers(deepening, memory, monitor, Some(help));
            coordination.stop();
            let rest = helpers.into_iter().map(|helper| helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            merge_results(deepening, rest.collect())
        })
    }

    /// A search of this depth: without ProbCut if the depth exceeds the remaining plies, so that the value is proven (with passes, some
    /// depths later).
    fn search<'a, K: Knowledge<G>>(
        &'a self,
        memory: &'a mut Memory<G, K>,
        monitor: &'a mut dyn StopCondition,
        depth: u32,
    ) -> Search<'a, G, K> {
        let mut search = Search::new(memory, &self.context, monitor);
        if depth > u32::from(self.context.game.plies_left(self.context.state)) {
            search.params.prob_cut = None;
        }
        search
    }

    fn deepen_with_helpers<'s, 'scope, K: Knowledge<G> + Clone + 'scope>(
        &'s self,
        mut deepening: IterativeDeepening<'s, G>,
        memory: &mut Memory<G, K>,
        monitor: &mut dyn DeepeningMonitor<G>,
        mut help: Option<Help<'_, 'scope, 's, G>>,
    ) -> IterativeDeepening<'s, G>
    where
        's: 'scope,
    {
        let coordination = &self.context.coordination;
        let _stop_on_panic = StopOnPanic(coordination);
        let mut monitor = ThreadMonitor::new(coordination, monitor);
        let (mut nodes, mut n_evals) = (0, 0);
        for depth in self.first..=self.last {
            coordination.set_depth(depth);
            if let Some(help) = help.take_if(|_| nodes >= self.context.help_from()) {
                help.call(self, &deepening, &memory.knowledge);
            }
            let mut search = self.search(memory, &mut monitor, depth);
            (search.nodes, search.n_evals) = (nodes, n_evals);
            let proven = deepening.advance(self.config, &mut search, depth);
            (nodes, n_evals) = (search.nodes, search.n_evals);
            drop(search);
            let counts = monitor.add_counts(nodes, n_evals);
            if !proven.is_some_and(|proven| monitor.inner.continues(&deepening, counts, proven)) {
                break;
            }
        }
        deepening
    }

    /// The loop of a helper until it is stopped: it searches the main thread's depth, or the one after its own.
    fn help<'s, K: Knowledge<G>>(
        &'s self,
        mut deepening: IterativeDeepening<'s, G>,
        knowledge: K,
    ) -> IterativeDeepening<'s, G> {
        let coordination = &self.context.coordination;
        let _stop_on_panic = StopOnPanic(coordination);
        let mut memory = Memory::new(knowledge);
        let mut monitor = ThreadMonitor::new(coordination, NoMonitor(coordination));
        let (mut nodes, mut n_evals) = (0, 0);
        while deepening.depth < self.last {
            let depth = coordination.depth().max(deepening.depth + 1);
            let mut search = self.search(&mut memory, &mut monitor, depth);
            (search.nodes, search.n_evals) = (nodes, n_evals);
            let proven = deepening.advance(self.config, &mut search, depth);
            (nodes, n_evals) = (search.nodes, search.n_evals);
            drop(search);
            monitor.add_counts(nodes, n_evals);
            match proven {
                // The main thread finds the result in the table.
                Some(true) if self.last != deepening.depth => break,
                Some(_) => {}
                None => break,
            }
        }
        if deepening.depth == self.last {
            coordination.stop();
        }
        deepening
    }
}

/// The scope and the list in which the main thread starts helpers.
struct Help<'h, 'scope, 's, G: Game> {
    scope: &'scope Scope<'scope, 's>,
    helpers: &'h mut Vec<ScopedJoinHandle<'scope, IterativeDeepening<'s, G>>>,
}

impl<'scope, 's: 'scope, G: Game> Help<'_, 'scope, 's, G> {
    fn call<K: Knowledge<G> + Clone + 'scope>(
        self,
        plan: &'s Plan<'s, G>,
        deepening: &IterativeDeepening<'s, G>,
        knowledge: &K,
    ) {
        let n_threads = plan.context.coordination.n_threads();
        for number in 1..n_threads {
            let (deepening, knowledge) = (deepening.for_helper(number, n_threads), knowledge.clone());
            // Without this helper the other threads do its part.
            let Some(helper) = spawn_scoped(self.scope, move || plan.help(deepening, knowledge)) else { break };
            self.helpers.push(helper);
        }
    }
}

/// The main thread's state, or that of a helper that finished a deeper search, with the proofs of all threads.
fn merge_results<'a, G: Game>(
    main: IterativeDeepening<'a, G>,
    mut rest: Vec<IterativeDeepening<'a, G>>,
) -> IterativeDeepening<'a, G> {
    let mut deepening = main;
    if let Some(i) = (0..rest.len()).max_by_key(|&i| rest[i].depth)
        && rest[i].depth > deepening.depth
    {
        std::mem::swap(&mut deepening, &mut rest[i]);
    }
    rest.iter().for_each(|other| deepening.root.merge(&other.root));
    deepening.root.put_proven_first();
    deepening
}

/// Searches the root to `depth`; `score` is that of the last depth.
fn to_depth<G: Game, K: Knowledge<G>>(
    config: &AlphaBetaConfig,
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, K>,
    depth: u32,
    score: i32,
) -> Option<SearchResult> {
    match config.algorithm {
        Algorithm::Mtdf => mtdf(root, search, depth, score),
        Algorithm::Negamax | Algorithm::Pvs => {
            let reach = config.window.filter(|_| depth > 1).map(|points| (points * FINE as f32) as i32);
            aspiration_search(root, search, depth, score, reach.unwrap_or(INFINITE / WIDEN / 2))
        }
    }
}

/// Aspiration search: a window of `reach` around `score`, widened when the value is outside.
fn aspiration_search<G: Game, K: Knowledge<G>>(
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, K>,
    depth: u32,
    score: i32,
    reach: i32,
) -> Option<SearchResult> {
    let (mut below, mut above) = (reach, reach);
    let mut window = Window { alpha: score - reach, beta: score + reach };
    loop {
        // The value is within the proven bounds.
        let searched = Window { alpha: window.alpha.max(root.least - 1), beta: window.beta.min(root.most + 1) };
        let searched = if searched.alpha < searched.beta {
            searched
        } else {
            Window { alpha: root.least - 1, beta: root.most + 1 }
        };
        let result = root.search(search, depth, searched)?;
        if result.score <= searched.alpha && searched.alpha >= root.least {
            below = widened(below, reach);
            window.alpha = result.score.saturating_sub(below).max(-INFINITE);
        } else if result.score >= searched.beta && searched.beta <= root.most {
            above = widened(above, reach);
            window.beta = result.score.saturating_add(above).min(INFINITE);
        } else {
            return Some(result);
        }
    }
}

/// MTD(f), Plaat et al. 1996, figure 2.
fn mtdf<G: Game, K: Knowledge<G>>(
    root: &mut Root<'_, G>,
    search: &mut Search<'_, G, K>,
    depth: u32,
    first: i32,
) -> Option<SearchResult> {
    let (mut lower, mut upper) = (root.least, root.most);
    if lower >= upper {
        // The value is known, but not the move that reaches it.
        return root.search(search, depth, Window::null(lower - 1));
    }
    let mut result = SearchResult { score: first.clamp(lower, upper), full: false };
    let mut full = (false, false);
    while lower < upper {
        let beta = if result.score == lower { lower + 1 } else { result.score };
        result = root.search(search, depth, Window::null(beta - 1))?;
        if result.score < beta {
            (upper, full.1) = (result.score.max(lower), result.full);
        } else {
            (lower, full.0) = (result.score.min(upper), result.full);
        }
    }
    Some(SearchResult { score: lower, full: full.0 && full.1 })
}
