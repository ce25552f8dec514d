//! A wrapper that values leaves near the end of the game by its exact solver.

use std::sync::Arc;

use banyan_core::{Answer, Bounds, Evaluator, Game, Leaves, Priors, Prover, Rng};

use super::inner::Inner;
use crate::solver::between;

/// Positions that the proof of one leaf may visit, a few milliseconds. Guess, untuned.
const MOST_NODES: u64 = 10_000;

/// Makes a prover with a separate table.
pub(crate) type NewProver<G> = Arc<dyn Fn() -> Box<dyn Prover<G>> + Send + Sync>;

/// Proves the value of leaves with at most `plies_left` plies left; the inner evaluator values the others, and those whose proof takes too
/// long.
pub(crate) struct ExactLeaves<G: Game> {
    inner: Inner<G>,
    new_prover: NewProver<G>,
    prover: Box<dyn Prover<G>>,
    plies_left: u32,
    /// Proven bounds of the leaves for the inner evaluator.
    proven: Vec<Option<Bounds>>,
}

impl<G: Game> ExactLeaves<G> {
    pub(crate) fn new(inner: Box<dyn Evaluator<G>>, plies_left: u32, new_prover: NewProver<G>) -> ExactLeaves<G> {
        ExactLeaves { inner: Inner::new(inner), prover: new_prover(), new_prover, plies_left, proven: Vec::new() }
    }

    /// Proven bounds of the margin of a position that is not over; exact unless that takes too long.
    fn bounds(&mut self, game: &G, state: &G::State) -> Bounds {
        let mover = game.to_move(state);
        let (mut lower, mut upper) = game.bounds(state).seen_by(mover);
        let most = self.prover.nodes() + MOST_NODES;
        while lower < upper {
            let points = between(lower, upper);
            let Some(found) = self.prover.reaches(game, state, points, &mut |nodes| (nodes < most).then_some(most))
            else {
                break;
            };
            let (found_lower, found_upper) = found.seen_by(mover);
            (lower, upper) = (lower.max(found_lower), upper.min(found_upper));
        }
        Bounds::won_by(mover, lower, upper)
    }
}

impl<G: Game> Evaluator<G> for ExactLeaves<G> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        self.inner.clear();
        self.proven.clear();
        for (i, state) in leaves.states().iter().enumerate() {
            let is_near = u32::from(game.plies_left(state)) <= self.plies_left;
            let proven = is_near.then(|| self.bounds(game, state));
            match proven {
                Some(bounds) if bounds.is_exact() => {
                    leaves.set_margin(i, bounds.lower);
                    leaves.set_bounds(i, bounds);
                }
                _ => {
                    self.inner.push(i, leaves);
                    self.proven.push(proven);
                }
            }
        }
        for ((i, answer), &proven) in self.inner.answers(game, leaves, rng).zip(&self.proven) {
            let bounds = match (answer.bounds, proven) {
                (Some(one), Some(other)) => Some(one.and(other)),
                (one, other) => one.or(other),
            };
            leaves.set(i, Answer { bounds, ..answer });
        }
    }

    fn inner(&self) -> Option<&dyn Evaluator<G>> {
        Some(&*self.inner.evaluator)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Evaluator<G>> {
        Some(&mut *self.inner.evaluator)
    }

    fn gives_priors(&self) -> Priors {
        self.inner.gives_priors()
    }

    fn new_game(&mut self) {
        self.prover.forget();
        self.inner.evaluator.new_game();
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(ExactLeaves::new(self.inner.evaluator.fork(thread), self.plies_left, Arc::clone(&self.new_prover)))
    }
}
