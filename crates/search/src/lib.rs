//! Searches that choose moves in any game: a random mover, a one-ply greedy mover, and Monte Carlo search in a tree or
//! a graph.
//!
//! This crate names no game: it knows the rules through [`banyan_core::Game`] alone.

mod alpha_beta;
mod budget;
mod greedy;
mod mcts;
mod panicked;
mod random;
mod tunables;
mod vote;
mod worded;

pub use alpha_beta::{Algorithm, AlphaBeta, AlphaBetaConfig, ExactSolver, Foresight, Guess, Ordering};
pub use greedy::Greedy;
pub use mcts::{
    Config, EarlyStop, Evaluation, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, HeuristicEvaluator, Lazily,
    LeafValue, Mcts, Model, Policy, Proof, Reuse, Reward, Scale, Schedule, Scheme, Selection, StartValue, Structure,
    TieBreak,
};
pub use random::Random;
pub use tunables::{ALPHA_BETA_TUNABLES, Range, TUNABLES, Tunable};
pub use vote::Vote;
