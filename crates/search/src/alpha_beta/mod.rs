//! The alpha-beta family with a transposition table: negamax, principal variation search and MTD(f) with iterative
//! deepening, for play with a static evaluation and for exact values.

mod config;
mod context;
mod coordination;
mod deepen;
mod horizon;
mod lines;
mod lookahead;
mod memory;
mod multi_pv;
mod node;
mod order;
mod params;
mod player;
mod ply;
mod principal_variation;
mod prob_cut;
mod prover;
mod root;
mod score;
mod search;
mod search_monitor;
mod stop_condition;
mod transposition_table;

pub use config::{ALPHA_BETA_TUNABLES, Algorithm, AlphaBetaConfig, Forced, Ordering};
pub use horizon::HorizonEval;
pub(crate) use horizon::eval_error;
pub use lines::Lines;
pub(crate) use lookahead::{Lookahead, ShallowSearch};
pub use player::{AlphaBeta, DepthResult};
pub use prover::AlphaBetaProver;

pub(crate) use search_monitor::SearchMonitor;
pub(crate) use stop_condition::StopCondition;
