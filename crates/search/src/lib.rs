//! Players for any game: random, one-ply greedy, alpha-beta, Monte Carlo search in a tree or a graph, exact solving, and ensembles
//! of players.
//!
//! This crate names no game: it reads the rules through [`banyan_core::Game`], and game knowledge through a [`Kit`].
//!
//! | player | search |
//! |---|---|
//! | [`Mcts`] | Monte Carlo search, with the settings of a [`Config`] |
//! | [`AlphaBeta`] | negamax, PVS or MTD(f), with those of an [`AlphaBetaConfig`] |
//! | [`SolverPlayer`] | exact values by a [`Prover`](banyan_core::Prover) as soon as the budget allows; [`ProvingSolver`] alone solves |
//! | [`Random`], [`Greedy`] | random moves; one ply |
//! | [`Vote`] | an ensemble of players |

mod alpha_beta;
mod budget;
mod busy;
mod greedy;
mod kit;
mod mcts;
mod options;
mod panicked;
mod random;
mod reward;
mod solver;
mod vote;

pub use alpha_beta::{
    ALPHA_BETA_TUNABLES, Algorithm, AlphaBeta, AlphaBetaConfig, AlphaBetaProver, DepthResult, Forced, HorizonEval,
    Lines, Ordering,
};
pub use greedy::Greedy;
pub use kit::Kit;
pub use mcts::{EVALUATORS, Mcts, StaticEvaluator, evaluators_of, leaf_evaluator, playouts};
pub use options::{
    Config, EarlyStop, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, LazyMode, ModelPlayer, NodeInit,
    Parallel, PendingVisits, PriorSource, Proof, Range, Reuse, Reward, RootBiasAt, RootSearch, Scale, Schedule,
    Selection, SquareWeights, Structure, TUNABLES, TieBreak, Tunable, UnvisitedValue, printed_rows,
};
pub use random::Random;
pub use solver::{Goal, Lost, Opening, ProvingSolver, SOLVER_TUNABLES, SolverConfig, SolverPlayer, prove, prover};
pub use vote::Vote;
