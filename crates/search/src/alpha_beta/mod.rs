//! The alpha-beta family: negamax, principal variation search and MTD(f), deepened step by step, with a table of
//! positions; for play with a static evaluation, and for exact values.

mod config;
mod crew;
mod deepen;
mod horizon;
mod line;
mod lookahead;
mod memory;
mod order;
mod player;
mod ply;
mod root;
mod rules;
mod score;
mod search;
mod solver;
mod step;
mod stop_condition;
mod table;
mod task;
mod warden;

pub use config::{ALPHA_BETA_TUNABLES, Algorithm, AlphaBetaConfig, Forced, Ordering};
pub use horizon::HorizonEval;
pub(crate) use lookahead::{Look, Lookahead};
pub use player::{AlphaBeta, Foresight};
pub use solver::ExactSolver;
