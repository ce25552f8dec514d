//! The position that was asked about: its moves, and searches of it at one depth.

use banyan_core::cpu::{Isa, Kernel, dispatch};
use banyan_core::{Bounds, Game, Heuristic, Margin, MoveList};

use super::order::Child;
use super::rules::{Rules, TO_THE_END};
use super::search::{Found, INFINITE, Search, Window};
use super::table::Bound;

/// A move of the root, and what is known of it.
pub(super) struct RootMove<G: Game> {
    pub(super) child: Child<G>,
    /// The final score, if the move ends the game.
    ended: Option<i32>,
    /// Points to go from the root on, seen by its mover, as the last search of the move found them.
    pub(super) score: i32,
    pub(super) bound: Bound,
    /// Scores provable at a glance.
    pub(super) least: i32,
    pub(super) most: i32,
    /// Scores proven by searches that no horizon cut.
    pub(super) lower: i32,
    pub(super) upper: i32,
    /// Positions visited below it.
    pub(super) nodes: u64,
}

/// A position under search.
pub(super) struct Root<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) state: &'a G::State,
    pub(super) rules: Rules,
    /// The best first, as far as is known.
    pub(super) moves: Vec<RootMove<G>>,
    /// Scores provable at a glance.
    pub(super) least: i32,
    pub(super) most: i32,
    /// Scores proven by searches that no horizon cut.
    pub(super) lower: i32,
    pub(super) upper: i32,
}

/// One search of the root, on the best instruction set.
struct Pass<'p, 's, 'a, G: Game, H> {
    root: &'p mut Root<'a, G>,
    search: &'p mut Search<'s, G, H>,
    depth: u32,
    window: Window,
}

impl<G: Game, H: Heuristic<G>> Kernel for Pass<'_, '_, '_, G, H> {
    type Output = Option<Found>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Found> {
        self.root.pass(isa, self.search, self.depth, self.window)
    }
}

/// One test of one move, on the best instruction set.
struct Test<'p, 's, 'a, G: Game, H> {
    root: &'p mut Root<'a, G>,
    search: &'p mut Search<'s, G, H>,
    i: usize,
    alpha: i32,
}

impl<G: Game, H: Heuristic<G>> Kernel for Test<'_, '_, '_, G, H> {
    type Output = Option<Found>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Found> {
        self.root.visit(isa, self.search, self.i, TO_THE_END, Window::null(self.alpha))
    }
}

impl<G: Game> RootMove<G> {
    /// Takes note of what a search with this window found.
    fn note(&mut self, found: Found, window: Window) {
        let Found { score, full } = found;
        (self.score, self.bound) = match score {
            low if low <= window.alpha => (low, Bound::Upper),
            high if high >= window.beta => (high, Bound::Lower),
            _ => (score, Bound::Exact),
        };
        if self.ended.is_some() {
            self.bound = Bound::Exact;
        }
        if full && self.bound != Bound::Upper {
            self.lower = self.lower.max(score);
        }
        if full && self.bound != Bound::Lower {
            self.upper = self.upper.min(score);
        }
    }
}

impl<'a, G: Game> Root<'a, G> {
    /// A position that is not over.
    pub(super) fn new(game: &'a G, state: &'a G::State, rules: Rules) -> Root<'a, G> {
        let (mover, banked) = (game.to_move(state), game.banked(state));
        let mut moves = MoveList::new();
        let proven = if rules.tactics && !rules.exact { game.dominating(state, &mut moves) } else { None };
        if moves.is_empty() {
            game.moves(state, &mut moves);
        }
        let score = |points: i16| i32::from(points - banked.seen_by(mover)) * rules.unit;
        let (mut least, mut most) = game.bounds(state).seen_by(mover);
        if let Some((lower, upper)) = proven.map(|proven| proven.seen_by(mover)) {
            (least, most) = (least.max(lower), most.min(upper));
        }
        let (least, most) = (score(least), score(most));
        let mut root = Root { game, state, rules, moves: Vec::new(), least, most, lower: least, upper: most };
        root.moves = moves.into_iter().map(|mv| root.root_move(mv)).collect();
        // A stable sort: what promises the same stays in the game's order.
        root.moves.sort_by_key(|mv| std::cmp::Reverse(game.promise(state, mv.child.mv, &mv.child.state)));
        root
    }

    fn root_move(&self, mv: G::Move) -> RootMove<G> {
        let (mover, banked) = (self.game.to_move(self.state), self.game.banked(self.state));
        let mut next = *self.state;
        self.game.play(&mut next, mv);
        let points = |margin: Margin| i32::from(margin.seen_by(mover) - banked.seen_by(mover)) * self.rules.unit;
        let child = Child::new(mv, next, points(self.game.banked(&next)), self.game.to_move(&next) != mover);
        let ended = self.game.result(&next).map(points);
        let (lower, upper) = self.game.bounds(&next).seen_by(mover);
        let (lower, upper) = (points(Margin::won_by(mover, lower)), points(Margin::won_by(mover, upper)));
        let (lower, upper) = ended.map_or((lower, upper), |score| (score, score));
        let bound = if ended.is_some() { Bound::Exact } else { Bound::Upper };
        RootMove {
            child,
            ended,
            score: ended.unwrap_or(upper),
            bound,
            least: lower,
            most: upper,
            lower,
            upper,
            nodes: 0,
        }
    }

    /// Searches the position to this depth. `None` if it was stopped; a move found better by then is first already.
    pub(super) fn search<H: Heuristic<G>>(
        &mut self,
        search: &mut Search<'_, G, H>,
        depth: u32,
        window: Window,
    ) -> Option<Found> {
        dispatch(Pass { root: self, search, depth, window })
    }

    #[inline(always)]
    fn pass<I: Isa, H: Heuristic<G>>(
        &mut self,
        isa: I,
        search: &mut Search<'_, G, H>,
        depth: u32,
        window: Window,
    ) -> Option<Found> {
        let mut best = Found { score: -INFINITE, full: true };
        let mut all_full = true;
        for i in 0..self.moves.len() {
            let alpha = window.alpha.max(best.score);
            let tested = i > 0 && self.rules.tests_first;
            let asked = if tested { Window::null(alpha) } else { Window { alpha, ..window } };
            let mut found = self.visit(isa, search, i, depth, asked)?;
            if found.score > alpha {
                // It is the best so far; should there be no time to find out how good it is, it is played.
                self.moves[..=i].rotate_right(1);
                if tested && found.score < window.beta {
                    let asked = Window { alpha: found.score - 1, ..window };
                    found = self.visit(isa, search, 0, depth, asked)?;
                }
            }
            all_full &= found.full;
            if found.score > best.score {
                best = found;
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
        Some(Found { score: best.score.clamp(self.least, self.most), full })
    }

    /// Searches one move, and takes note of what that says. `None` if the search was stopped.
    #[inline(always)]
    fn visit<I: Isa, H: Heuristic<G>>(
        &mut self,
        isa: I,
        search: &mut Search<'_, G, H>,
        i: usize,
        depth: u32,
        window: Window,
    ) -> Option<Found> {
        let nodes = search.nodes;
        let (mover, banked) = (self.game.to_move(self.state), self.game.banked(self.state));
        let mv = &mut self.moves[i];
        let found = match mv.ended {
            Some(score) => {
                search.nodes += 1;
                Found { score, full: true }
            }
            None if depth == 1 => search.guess(&mv.child.state, banked, mover),
            None => {
                mv.child.key = self.rules.key(self.game, &mv.child.state, depth - 1);
                search.child(isa, &mv.child, depth - 1, 0, window)
            }
        };
        mv.nodes += search.nodes - nodes;
        if search.stopped {
            return None;
        }
        mv.note(found, window);
        Some(found)
    }

    /// Asks whether the `i`-th move is worth more than `alpha`, to the end. `None` if the search was stopped.
    pub(super) fn test<H: Heuristic<G>>(
        &mut self,
        search: &mut Search<'_, G, H>,
        i: usize,
        alpha: i32,
    ) -> Option<Found> {
        dispatch(Test { root: self, search, i, alpha })
    }

    /// The best move, as far as is known.
    pub(super) fn best(&self) -> G::Move {
        self.moves[0].child.mv
    }

    /// Brings what is known of the position and of its moves together.
    pub(super) fn agree(&mut self) {
        let lower = self.moves.iter().map(|mv| mv.lower).max();
        self.lower = self.lower.max(lower.unwrap_or(self.lower));
        let upper = self.upper;
        self.moves.iter_mut().for_each(|mv| mv.upper = mv.upper.min(upper));
    }

    /// A score as the final margin it stands for, if it is a whole number of points.
    pub(super) fn margin(&self, score: i32) -> Margin {
        let mover = self.game.to_move(self.state);
        Margin::won_by(mover, (score / self.rules.unit) as i16 + self.game.banked(self.state).seen_by(mover))
    }

    /// Two scores as bounds of the final margin.
    pub(super) fn bounds(&self, lower: i32, upper: i32) -> Bounds {
        let (a, b) = (self.margin(lower), self.margin(upper));
        Bounds::new(a.min(b), a.max(b))
    }
}
