//! The search of one interior node: table probe, child loop, table store.

use std::mem;
use std::time::Duration;

use banyan_core::clock::Instant;
use banyan_core::{Bounds, Game, Knowledge, Margin, Side};

use super::params::PROBE_CHILDREN_FROM;
use super::ply::{Child, Ply};
use super::score::{Best, INFINITE, SearchResult, Window, relative_scores};
use super::search::Search;
use super::transposition_table::{Bound, Entry};
use crate::busy::wait_until;

impl<G: Game, K: Knowledge<G>> Search<'_, G, K> {
    /// The score of a child, seen by the mover of its parent.
    #[inline(always)]
    pub(super) fn child(&mut self, child: &Child<G>, depth: u32, height: usize, window: Window) -> SearchResult {
        let window = window.after(child.gain, child.turned);
        let result = self.visit(&child.state, child.key, depth, height, window);
        SearchResult { score: child.for_parent(result.score), full: result.full }
    }

    /// Searches a position that is not terminal, unless the search is to stop.
    #[inline(never)]
    pub(super) fn visit(
        &mut self,
        state: &G::State,
        key: u64,
        depth: u32,
        height: usize,
        window: Window,
    ) -> SearchResult {
        if self.is_stopped() {
            return SearchResult::NOTHING;
        }
        let mut ply = mem::take(&mut self.memory.plies[height]);
        let result = self.search_node(&mut ply, state, key, depth, height, window);
        self.memory.plies[height] = ply;
        result
    }

    /// Searches a position that is not terminal.
    #[inline(always)]
    fn search_node(
        &mut self,
        ply: &mut Ply<G>,
        state: &G::State,
        key: u64,
        depth: u32,
        height: usize,
        window: Window,
    ) -> SearchResult {
        // Bounds and cutoffs by one-ply tactics.
        let mover = self.game.to_move(state);
        let scored = self.game.score(state);
        let mut reach = self.relative_scores(self.game.bounds(state), scored, mover);
        ply.moves.clear();
        if self.params.forced {
            if let Some(proven) = self.memory.knowledge.undominated(self.game, state, &mut ply.moves) {
                let proven = self.relative_scores(proven, scored, mover);
                reach = (reach.0.max(proven.0), reach.1.min(proven.1));
            }
        } else {
            self.game.moves(state, &mut ply.moves);
        }
        let (lower, upper) = reach;
        if lower >= window.beta || lower >= upper {
            return SearchResult { score: lower, full: true };
        }
        if upper <= window.alpha {
            return SearchResult { score: upper, full: true };
        }
        let inner = Window { alpha: window.alpha.max(lower), beta: window.beta.min(upper) };
        if depth == 1 {
            let result = self.frontier(ply, state, inner);
            return SearchResult { score: result.score.clamp(lower, upper), ..result };
        }

        // Table probe. A position with a single move gets no entry: the next one has it.
        let stores = ply.moves.len() > 1 && self.table.is_some();
        let known = if stores { self.probe(key) } else { None };
        if let Some(result) = known.and_then(|entry| self.cutoff_by_entry(entry, depth, inner)) {
            return result;
        }

        let hint = known.map(|entry| entry.hint);
        if let Some(result) = self.prob_cut(ply, state, (key, hint), (depth, height), inner) {
            return result;
        }

        // The children.
        let nodes_before = self.nodes;
        let mut best = self.list(ply, state, depth, hint);
        if best.score < inner.beta
            && let Some(result) = self.cutoff_by_child(ply, depth, inner)
        {
            return result;
        }
        let mut all_full = true;
        for i in 0..ply.children.len() {
            if best.score >= inner.beta {
                break;
            }
            let alpha = inner.alpha.max(best.score);
            let defers = i > 0 && depth >= self.defer_from;
            let child = if defers { ply.next_free(i, self.coordination, depth - 1) } else { ply.next(i) };
            if defers {
                self.coordination.enter(child.key, depth - 1);
            }
            let result = self.best_of(child, depth - 1, height + 1, Window { alpha, ..inner }, best.child.is_none());
            if defers {
                self.coordination.leave(child.key, depth - 1);
            }
            if self.stopped {
                return SearchResult::NOTHING;
            }
            all_full &= result.full;
            if result.score > best.score {
                best = Best { score: result.score, full: result.full, child: Some((child.mv, child.key)) };
            }
        }

        // The result, for move ordering and the table.
        let cut = best.score >= inner.beta;
        if cut {
            self.record_refutation(ply, mover, best.child.map(|(mv, _)| mv), depth);
        }
        let full = if cut { best.full } else { all_full };
        let score = best.score.clamp(lower, upper);
        if stores {
            let bound = match best.score {
                low if low <= inner.alpha && inner.alpha > lower => Bound::Upper,
                high if high >= inner.beta && inner.beta < upper => Bound::Lower,
                _ => Bound::Exact,
            };
            let work = (self.nodes - nodes_before).checked_ilog2().unwrap_or(0);
            // If no move exceeded alpha, all have upper bounds only, and the best of them is not informative.
            let chosen = best.child.filter(|_| best.score > inner.alpha);
            let hint = chosen.map(|(_, key)| key).or(hint).unwrap_or(0);
            self.store(key, Entry { score, bound, draft: if full { work } else { depth }, full, hint });
        }
        SearchResult { score, full }
    }

    /// The value of one move: with a null window first, unless it is the first.
    #[inline(always)]
    fn best_of(&mut self, child: &Child<G>, depth: u32, height: usize, window: Window, first: bool) -> SearchResult {
        if first || !self.params.null_window_first {
            return self.child(child, depth, height, window);
        }
        let result = self.child(child, depth, height, Window::null(window.alpha));
        if result.score <= window.alpha || result.score >= window.beta || self.stopped {
            return result;
        }
        let again = self.child(child, depth, height, Window { alpha: result.score - 1, ..window });
        again.confirming(result)
    }

    /// The last ply: children get their static evaluation.
    #[inline(always)]
    fn frontier(&mut self, ply: &Ply<G>, state: &G::State, window: Window) -> SearchResult {
        let (mover, scored) = (self.game.to_move(state), self.game.score(state));
        let mut best = SearchResult { score: -INFINITE, full: false };
        let mut all_full = true;
        for &mv in &ply.moves {
            let mut next = state.clone();
            self.game.play(&mut next, mv);
            let result = self.static_eval(&next, scored, mover);
            all_full &= result.full;
            if result.score > best.score {
                best = result;
                if best.score >= window.beta {
                    return best;
                }
            }
        }
        SearchResult { full: all_full, ..best }
    }

    /// The static evaluation of a position at the horizon: points from `scored` on, seen by `mover`.
    #[inline(always)]
    pub(super) fn static_eval(&mut self, state: &G::State, scored: Margin, mover: Side) -> SearchResult {
        self.nodes += 1;
        let unit = self.params.unit;
        let sign = i32::from(mover.sign());
        let relative_score = |points: i32| (points - i32::from(scored.0) * unit) * sign;
        if let Some(margin) = self.game.result(state) {
            return SearchResult { score: relative_score(i32::from(margin.0) * unit), full: true };
        }
        self.n_evals += 1;
        let Bounds { lower, upper } = self.game.bounds(state);
        let begun = (self.params.pad > 0).then(Instant::now);
        let points = self.params.eval.points(&mut self.memory.knowledge, self.game, state, self.params.eval_noise);
        if let Some(begun) = begun {
            wait_until(begun + Duration::from_micros(self.params.pad.into()));
        }
        SearchResult {
            score: relative_score(points.clamp(i32::from(lower.0) * unit, i32::from(upper.0) * unit)),
            full: false,
        }
    }

    /// Bounds of the final margin as scores from `scored` on, seen by `mover`.
    #[inline(always)]
    fn relative_scores(&self, bounds: Bounds, scored: Margin, mover: Side) -> (i32, i32) {
        relative_scores(bounds, scored, mover, self.params.unit)
    }

    /// The score of the table's entry, if it is deep enough and causes a cutoff.
    #[inline(always)]
    fn cutoff_by_entry(&self, entry: Entry, depth: u32, window: Window) -> Option<SearchResult> {
        let deep_enough = entry.full || entry.draft >= depth;
        let decides = match entry.bound {
            Bound::Lower => entry.score >= window.beta,
            Bound::Upper => entry.score <= window.alpha,
            Bound::Exact => true,
        };
        (deep_enough && decides).then_some(SearchResult { score: entry.score, full: entry.full })
    }

    /// A cutoff by the table's entry of a child (enhanced transposition cutoff: Schaeffer and Plaat 1996, New Advances
    /// in Alpha-Beta Searching). It also brings the entries of all children into the cache at once: an additional
    /// prefetch gained nothing.
    #[inline(always)]
    fn cutoff_by_child(&self, ply: &Ply<G>, depth: u32, window: Window) -> Option<SearchResult> {
        if depth < PROBE_CHILDREN_FROM || ply.children.len() < 2 {
            return None;
        }
        let table = self.table.as_ref()?;
        ply.children.iter().find_map(|child| {
            let entry = table.find(child.key)?;
            let result = SearchResult { score: child.for_parent(entry.score), full: entry.full };
            let least = entry.bound == Bound::Exact || (entry.bound == Bound::Upper) == child.turned;
            (least && (entry.full || entry.draft >= depth - 1) && result.score >= window.beta).then_some(result)
        })
    }
}
