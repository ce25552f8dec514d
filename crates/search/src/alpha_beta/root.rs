//! The root: its moves, and searches of it to one depth.

use banyan_core::{Bounds, Game, Knowledge, Margin, MoveList, sort_by_order};

use super::config::Ordering;
use super::lines::Lines;
use super::params::Params;
use super::ply::Child;
use super::score::{INFINITE, SearchResult, Window, relative_scores};
use super::search::Search;

/// A move of the root, with its score and bounds.
pub(super) struct RootMove<G: Game> {
    pub(super) child: Child<G>,
    /// The final score, if the move ends the game.
    final_score: Option<i32>,
    /// Points from the root on, seen by its mover, from the last search of the move: exact or a bound; `None` before
    /// the first.
    pub(super) score: Option<i32>,
    /// The depth of that search, 0 before the first.
    pub(super) depth: u32,
    /// The score when the last depth was finished: an upper bound for every move but the best.
    pub(super) finished: Option<i32>,
    /// Its value when it was last searched as a [line](super::multi_pv), and the depth for which it counts.
    pub(super) line: Option<(i32, u32)>,
    /// Bounds of the score by one-ply tactics, or proven by searches that no horizon cut.
    pub(super) lower: i32,
    pub(super) upper: i32,
    /// Positions visited below it.
    pub(super) nodes: u64,
}

/// A position under search.
pub(super) struct Root<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) state: &'a G::State,
    pub(super) params: Params,
    /// The best move so far is first.
    pub(super) moves: Vec<RootMove<G>>,
    /// Bounds of the score by one-ply tactics.
    pub(super) least: i32,
    pub(super) most: i32,
    /// Bounds of the score proven by searches that no horizon cut.
    pub(super) lower: i32,
    pub(super) upper: i32,
}

impl<G: Game> RootMove<G> {
    /// A copy with no work done.
    fn copied(&self) -> RootMove<G> {
        let Child { mv, ref state, gain, turned, .. } = self.child;
        RootMove { child: Child::new(mv, state.clone(), gain, turned), nodes: 0, ..*self }
    }

    /// Updates score and bounds by the result of a search with this window.
    fn note(&mut self, result: SearchResult, window: Window) {
        let SearchResult { score, full } = result;
        self.score = Some(score);
        if full && (score > window.alpha || self.final_score.is_some()) {
            self.lower = self.lower.max(score);
        }
        if full && (score < window.beta || self.final_score.is_some()) {
            self.upper = self.upper.min(score);
        }
    }
}

impl<'a, G: Game> Root<'a, G> {
    /// The root of a position that is not terminal.
    pub(super) fn new(game: &'a G, knowledge: &impl Knowledge<G>, state: &'a G::State, params: Params) -> Root<'a, G> {
        let (mover, scored) = (game.to_move(state), game.score(state));
        let mut moves = MoveList::new();
        // Moves that lose to one-ply tactics are lines too.
        let restricts = params.forced && !params.exact && params.lines != Lines::All;
        let proven = if restricts { knowledge.undominated(game, state, &mut moves) } else { None };
        if moves.is_empty() {
            game.moves(state, &mut moves);
        }
        let relative_scores = |bounds: Bounds| relative_scores(bounds, scored, mover, params.unit);
        let (mut least, mut most) = relative_scores(game.bounds(state));
        if let Some((lower, upper)) = proven.map(relative_scores) {
            (least, most) = (least.max(lower), most.min(upper));
        }
        let mut root = Root { game, state, params, moves: Vec::new(), least, most, lower: least, upper: most };
        root.moves = moves.into_iter().map(|mv| root.root_move(mv)).collect();
        if params.ordering != Ordering::Listed {
            // A stable sort keeps equals in the game's order.
            let score = |mv: &RootMove<G>| knowledge.order_score(game, state, mv.child.mv, &mv.child.state, u32::MAX);
            sort_by_order(&mut root.moves, |a, b| score(a) > score(b));
        }
        root
    }

    fn root_move(&self, mv: G::Move) -> RootMove<G> {
        let (mover, scored) = (self.game.to_move(self.state), self.game.score(self.state));
        let mut next = self.state.clone();
        self.game.play(&mut next, mv);
        let relative_scores = |bounds: Bounds| relative_scores(bounds, scored, mover, self.params.unit);
        let (gain, _) = relative_scores(Bounds::exact(self.game.score(&next)));
        let child = Child::new(mv, next.clone(), gain, self.game.to_move(&next) != mover);
        let final_score = self.game.result(&next).map(|margin| relative_scores(Bounds::exact(margin)));
        let (lower, upper) = final_score.unwrap_or_else(|| relative_scores(self.game.bounds(&next)));
        let final_score = final_score.map(|(score, _)| score);
        RootMove {
            child,
            final_score,
            score: final_score,
            depth: 0,
            finished: final_score,
            line: final_score.map(|score| (score, u32::MAX)),
            lower,
            upper,
            nodes: 0,
        }
    }

    /// A copy for helper number `number` of `n_threads`: the first move stays first, the others are rotated so that
    /// each helper starts with another one.
    pub(super) fn for_helper(&self, number: usize, n_threads: usize) -> Root<'a, G> {
        let mut moves: Vec<RootMove<G>> = self.moves.iter().map(RootMove::copied).collect();
        let rest = &mut moves[1..];
        rest.rotate_left(rest.len() * number / n_threads);
        Root { moves, ..*self }
    }

    /// Merges the bounds proven by another thread.
    pub(super) fn merge(&mut self, other: &Root<'_, G>) {
        (self.lower, self.upper) = (self.lower.max(other.lower), self.upper.min(other.upper));
        for mv in &mut self.moves {
            let same = other.moves.iter().find(|same| same.child.mv == mv.child.mv).expect("the same moves");
            (mv.lower, mv.upper) = (mv.lower.max(same.lower), mv.upper.min(same.upper));
            mv.nodes += same.nodes;
        }
    }

    /// Searches the position to this depth. `None` if it was stopped; a better move found before is already first.
    pub(super) fn search<K: Knowledge<G>>(
        &mut self,
        search: &mut Search<'_, G, K>,
        depth: u32,
        window: Window,
    ) -> Option<SearchResult> {
        self.pass(search, depth, window)
    }

    #[inline(always)]
    fn pass<K: Knowledge<G>>(
        &mut self,
        search: &mut Search<'_, G, K>,
        depth: u32,
        window: Window,
    ) -> Option<SearchResult> {
        let mut best = SearchResult { score: -INFINITE, full: true };
        let mut all_full = true;
        for i in 0..self.moves.len() {
            let alpha = window.alpha.max(best.score);
            let tested = i > 0 && self.params.null_window_first;
            let searched = if tested { Window::null(alpha) } else { Window { alpha, ..window } };
            let mut result = self.visit(search, i, depth, searched)?;
            if result.score > alpha {
                // The best so far: it is played even if no time is left to determine its exact value.
                self.moves[..=i].rotate_right(1);
                if tested && result.score < window.beta {
                    let searched = Window { alpha: result.score - 1, ..window };
                    result = self.visit(search, 0, depth, searched)?.confirming(result);
                    if result.score <= best.score {
                        self.moves[..=i].rotate_left(1);
                    }
                }
            }
            all_full &= result.full;
            if result.score > best.score {
                best = result;
            }
            if best.score >= window.beta {
                break;
            }
        }
        let full = if best.score >= window.beta { best.full } else { all_full };
        if full && best.score > window.alpha {
            self.lower = self.lower.max(best.score);
        }
        if full && best.score < window.beta {
            self.upper = self.upper.min(best.score);
        }
        Some(SearchResult { score: best.score.clamp(self.least, self.most), full })
    }

    /// Searches one move, and updates its score and bounds. `None` if the search was stopped.
    #[inline(always)]
    pub(super) fn visit<K: Knowledge<G>>(
        &mut self,
        search: &mut Search<'_, G, K>,
        i: usize,
        depth: u32,
        window: Window,
    ) -> Option<SearchResult> {
        let nodes = search.nodes;
        let (mover, scored) = (self.game.to_move(self.state), self.game.score(self.state));
        let mv = &mut self.moves[i];
        let result = match mv.final_score {
            Some(score) => {
                search.nodes += 1;
                SearchResult { score, full: true }
            }
            None if depth == 1 => search.static_eval(&mv.child.state, scored, mover),
            None => {
                mv.child.key = self.params.key(self.game, &search.memory.knowledge, &mv.child.state, depth - 1);
                search.child(&mv.child, depth - 1, 0, window)
            }
        };
        mv.nodes += search.nodes - nodes;
        if search.stopped {
            return None;
        }
        mv.note(result, window);
        mv.depth = depth;
        Some(result)
    }

    /// Records the scores of a finished depth, whose value is `best`: it bounds the moves that were not searched because none can be
    /// better. With several lines the last of them bounds the moves that are none.
    pub(super) fn finish_depth(&mut self, depth: u32, best: i32, n_lines: usize) {
        for mv in &mut self.moves {
            mv.finished = if mv.depth == depth { mv.score } else { Some(best) };
        }
        if let Some((last, _)) = self.moves[n_lines - 1].line.filter(|_| n_lines > 1) {
            for mv in &mut self.moves[n_lines..] {
                mv.finished = mv.finished.map(|score| score.min(last));
            }
        }
    }

    /// The best move so far.
    pub(super) fn best(&self) -> G::Move {
        self.moves[0].child.mv
    }

    /// Reconciles the bounds of the position with those of its moves.
    pub(super) fn reconcile_bounds(&mut self) {
        let (lower, upper) = (self.lower, self.upper);
        let best = |bound: fn(&RootMove<G>) -> i32| self.moves.iter().map(bound).max().expect("a root has moves");
        let (least, most) = (best(|mv| mv.lower), best(|mv| mv.upper));
        (self.lower, self.upper) = (lower.max(least), upper.min(most));
        self.moves.iter_mut().for_each(|mv| mv.upper = mv.upper.min(upper));
    }

    /// Whether the value and a move that reaches it are proven; that move is put first.
    pub(super) fn put_proven_first(&mut self) -> bool {
        if self.lower < self.upper {
            return false;
        }
        let value = self.lower;
        let reaching = self.moves.iter().position(|mv| mv.lower >= value);
        if let Some(i) = reaching {
            self.moves[..=i].rotate_right(1);
        }
        reaching.is_some() || self.moves.len() == 1
    }

    /// A score, a whole number of points, as a final margin.
    fn margin(&self, score: i32) -> Margin {
        let mover = self.game.to_move(self.state);
        let points = score / self.params.unit * i32::from(mover.sign());
        Margin((i32::from(self.game.score(self.state).0) + points) as i16)
    }

    /// Two scores as bounds of the final margin.
    pub(super) fn bounds(&self, lower: i32, upper: i32) -> Bounds {
        let (a, b) = (self.margin(lower), self.margin(upper));
        Bounds::new(a.min(b), a.max(b))
    }
}
