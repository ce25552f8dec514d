//! Positions as planes of numbers, and evaluators from outside that read them.

use crate::Game;

/// Positions of one board as planes of numbers, and its moves as outputs of a policy: what a network reads and writes.
pub trait Planes<G: Game>: Send + Sync {
    /// Channels, rows and columns.
    fn shape(&self) -> [usize; 3];

    /// The meaning of each channel, seen by the side to move.
    fn channels(&self) -> &'static [&'static str];

    /// Writes a position that is not over, seen by the side to move, into `out`: `[channels, rows, columns]`, the first row on top. All
    /// numbers of `out` are 0 before.
    fn write(&self, game: &G, state: &G::State, out: &mut [f32]);

    /// The number of outputs of a policy.
    fn n_actions(&self) -> usize;

    /// The output of a move, less than [`n_actions`](Planes::n_actions).
    fn action(&self, mv: G::Move) -> usize;
}

/// A batch of positions as planes, for a [`PlaneEvaluator`].
#[derive(Clone, Copy, Debug)]
pub struct PlaneBatch<'a> {
    /// The numbers: `[n, channels, rows, columns]`.
    pub planes: &'a [f32],
    /// `n`, channels, rows and columns.
    pub shape: [usize; 4],
    /// The number of outputs of a policy.
    pub n_actions: usize,
}

/// An evaluator from outside, for example a network: it reads planes and knows neither the type of the game nor the search.
pub trait PlaneEvaluator: Send {
    /// Writes the expected result of each position, -1 certain loss to 1 certain win for the side to move, into `values`: `[n]`; and, if it
    /// [gives priors](PlaneEvaluator::gives_priors), a number from 0 on for each output of its policy into `priors`: `[n, n_actions]`, of
    /// which those of legal moves are read and normalised. All values are 0 before and all priors 1. Numbers that are not finite count as
    /// 0.
    fn evaluate(&mut self, batch: &PlaneBatch<'_>, values: &mut [f32], priors: &mut [f32]);

    /// Whether it gives priors.
    fn gives_priors(&self) -> bool {
        true
    }

    /// The evaluator for search thread `thread`, from 1.
    fn fork(&self, thread: u32) -> Box<dyn PlaneEvaluator>;
}
