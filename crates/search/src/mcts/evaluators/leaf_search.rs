//! A wrapper that evaluates leaves by a shallow alpha-beta search.

use banyan_core::{Bounds, Evaluator, FINE, Game, Knowledge, Learner, Leaves, Priors, Rng};

use super::inner::Inner;
use crate::alpha_beta::{Lookahead, ShallowSearch};

/// Searches leaves with fewer visits than `below`; the inner evaluator evaluates all others.
pub(crate) struct LeafSearch<G: Game, K> {
    inner: Inner<G>,
    lookahead: Lookahead<G, K>,
    knowledge: K,
    depth: u32,
    /// 0 for all leaves.
    below: u32,
}

impl<G: Game, K: Knowledge<G> + Clone + 'static> LeafSearch<G, K> {
    /// A leaf search of `depth` plies.
    pub(crate) fn new(inner: Box<dyn Evaluator<G>>, knowledge: K, depth: u32, below: u32) -> LeafSearch<G, K> {
        let lookahead = Lookahead::new(depth, knowledge.clone());
        LeafSearch { inner: Inner::new(inner), lookahead, knowledge, depth, below }
    }
}

impl<G: Game, K: Knowledge<G> + Clone + 'static> Evaluator<G> for LeafSearch<G, K> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        self.inner.clear();
        for (i, state) in leaves.states().iter().enumerate() {
            if self.below > 0 && leaves.visits(i) >= self.below {
                self.inner.push(i, leaves);
                continue;
            }
            let result = self.lookahead.search(game, state);
            if result.bounds.is_exact() {
                leaves.set_margin(i, result.bounds.lower);
            } else {
                let Bounds { lower, upper } = result.bounds;
                let (lower, upper) = (i32::from(lower.0) * FINE, i32::from(upper.0) * FINE);
                leaves.set_points(i, result.points.clamp(lower, upper));
            }
            leaves.set_bounds(i, result.bounds);
        }
        for (i, answer) in self.inner.answers(game, leaves, rng) {
            leaves.set(i, answer);
        }
    }

    fn inner(&self) -> Option<&dyn Evaluator<G>> {
        Some(&*self.inner.evaluator)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Evaluator<G>> {
        Some(&mut *self.inner.evaluator)
    }

    /// If the search evaluates all leaves, there are no playouts.
    fn records_moves(&self) -> bool {
        self.below > 0 && self.inner.evaluator.records_moves()
    }

    fn learner(&mut self) -> Option<&mut dyn Learner> {
        if self.below > 0 { self.inner.evaluator.learner() } else { None }
    }

    fn gives_priors(&self) -> Priors {
        self.inner.gives_priors()
    }

    fn new_game(&mut self) {
        self.lookahead.forget();
        self.inner.evaluator.new_game();
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(LeafSearch::new(self.inner.evaluator.fork(thread), self.knowledge.clone(), self.depth, self.below))
    }
}
