//! What a search asks about positions it has not looked into yet.

use crate::{Bounds, Game};

/// Positions to be valued together, and room for the answers.
pub struct Leaves<'a, G: Game> {
    states: &'a [G::State],
    moves: &'a [G::Move],
    /// Where the moves of each leaf end.
    ends: &'a [usize],
    values: &'a mut [f32],
    bounds: &'a mut [Option<Bounds>],
    policies: &'a mut [f32],
}

impl<'a, G: Game> Leaves<'a, G> {
    /// Leaves with these `states`: `[n]`; their `moves` one leaf after another, those of leaf i ending before `ends[i]`;
    /// and room for the answers: `values` and `bounds` `[n]`, `policies` as long as `moves`.
    ///
    /// # Panics
    /// The lengths do not fit together.
    pub fn new(
        states: &'a [G::State],
        (moves, ends): (&'a [G::Move], &'a [usize]),
        (values, bounds, policies): (&'a mut [f32], &'a mut [Option<Bounds>], &'a mut [f32]),
    ) -> Leaves<'a, G> {
        let n = states.len();
        assert!(ends.len() == n && values.len() == n && bounds.len() == n, "one answer for each of {n} leaves");
        assert!(policies.len() == moves.len() && ends.is_sorted() && ends.last().is_none_or(|&end| end == moves.len()));
        Leaves { states, moves, ends, values, bounds, policies }
    }

    /// The positions, none of them over: `[n]`.
    pub fn states(&self) -> &'a [G::State] {
        self.states
    }

    /// The moves of leaf `i` that are worth looking at; none unless the evaluator gives policies.
    pub fn moves(&self, i: usize) -> &'a [G::Move] {
        &self.moves[self.begin(i)..self.ends[i]]
    }

    /// Says what leaf `i` is worth: the expected reward seen by the first side, on the scale of the search's reward, with
    /// what is banked already. Anything but a number counts as 0.
    pub fn set_value(&mut self, i: usize, value: f32) {
        self.values[i] = if value.is_finite() { value } else { 0.0 };
    }

    /// Says what is proven about the final margin of leaf `i`.
    pub fn set_bounds(&mut self, i: usize, bounds: Bounds) {
        self.bounds[i] = Some(bounds);
    }

    /// Room for the prior of each move of leaf `i`: `[moves(i).len()]`. The search divides by their sum; each is
    /// 1 until written to.
    pub fn policy_mut(&mut self, i: usize) -> &mut [f32] {
        let begin = self.begin(i);
        &mut self.policies[begin..self.ends[i]]
    }

    fn begin(&self, i: usize) -> usize {
        if i == 0 { 0 } else { self.ends[i - 1] }
    }
}

/// Values leaves for a search: a trained model, a lookup, anything but the search's own playouts. Leaves come in batches
/// of up to 64, as many as the search's `batch` says; one leaf is the plain case.
pub trait Evaluator<G: Game>: Send {
    /// Whether [`evaluate`](Evaluator::evaluate) writes priors for the moves. They serve selection by PUCT.
    fn gives_policy(&self) -> bool {
        false
    }

    /// Values every leaf. A leaf not written to is worth 0.
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>);

    /// A new game begins: all randomness follows from `seed`.
    fn reseed(&mut self, _seed: u64) {}
}
