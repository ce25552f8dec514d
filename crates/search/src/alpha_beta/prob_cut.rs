//! ProbCut: forward pruning by the statistics of shallower searches (Buro 1995, ProbCut: An Effective Selective Extension of the
//! Alpha-Beta Algorithm; Buro 1997, Experiments with Multi-ProbCut).

use std::mem;

use banyan_core::{Game, Knowledge};

use super::ply::Ply;
use super::score::{SearchResult, Window};
use super::search::Search;
use super::transposition_table::{Bound, Entry};

/// Remaining depth from which a cut is tried, and from which a search of about half the shallower depth is tried first. Tuned by the time
/// of searches 14 plies deep from 24 positions of a game of some 10 moves, with 1.5 deviations: cuts from depth 4 or 5 on took 1.1 and 1.4 times as long as
/// from 3 on; the first search saved 12 % from depth 5 on, about 10 % from 6 or 7 on.
const FROM: u32 = 3;
const TWICE_FROM: u32 = 5;

/// The depths of the shallower searches: about a quarter and a half of `depth`, with the same parity, because values of even and odd depths
/// differ.
fn shallow_depths(depth: u32) -> impl Iterator<Item = u32> {
    let [first, second] = [8, 4].map(|part| depth / part * 2 + depth % 2);
    let is_worth_it = depth >= TWICE_FROM && first > 0 && first < second;
    is_worth_it.then_some(first).into_iter().chain([second])
}

impl<G: Game, K: Knowledge<G>> Search<'_, G, K> {
    /// If the static evaluation is outside of a null window and a shallower search is outside by a margin: the bound that a search to this
    /// depth would most likely return. `ply.moves` is unchanged.
    #[inline(always)]
    pub(super) fn prob_cut(
        &mut self,
        ply: &mut Ply<G>,
        state: &G::State,
        (key, hint): (u64, Option<u64>),
        (depth, height): (u32, usize),
        window: Window,
    ) -> Option<SearchResult> {
        let deviations = self.params.prob_cut?;
        if depth < FROM || window.beta - window.alpha > 1 || ply.moves.len() < 2 {
            return None;
        }
        let eval = self.static_eval(state, self.game.score(state), self.game.to_move(state)).score;
        let is_high = eval >= window.beta;
        for shallow in shallow_depths(depth) {
            let error = self.memory.knowledge.depth_error(self.game, state, shallow, depth)?;
            let margin = (deviations * error) as i32;
            let tested = if is_high { window.beta + margin } else { window.alpha - margin };
            let null = if is_high { Window::null(tested - 1) } else { Window::null(tested) };
            let result = self.shallower(ply, state, key, (shallow, height), null);
            if self.stopped {
                return Some(SearchResult::NOTHING);
            }
            let (score, bound) = match is_high {
                true if result.score >= tested => (window.beta, Bound::Lower),
                false if result.score <= tested => (window.alpha, Bound::Upper),
                _ => continue,
            };
            if self.table.is_some() {
                self.store(key, Entry { score, bound, draft: depth, full: false, hint: hint.unwrap_or(0) });
            }
            return Some(SearchResult { score, full: false });
        }
        None
    }

    /// Searches a position once more from the same height, whose buffers are in use.
    #[inline(never)]
    fn shallower(
        &mut self,
        ply: &mut Ply<G>,
        state: &G::State,
        key: u64,
        (depth, height): (u32, usize),
        window: Window,
    ) -> SearchResult {
        let moves = mem::take(&mut ply.moves);
        mem::swap(ply, &mut self.memory.plies[height]);
        let result = self.visit(state, key, depth, height, window);
        mem::swap(ply, &mut self.memory.plies[height]);
        ply.moves = moves;
        result
    }
}
