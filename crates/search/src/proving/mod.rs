//! Exact values by a game's own [`Prover`](banyan_core::Prover): the solver and the player built on it.

mod config;
mod player;
mod position;
mod solver;
mod threads;
mod windows;

pub use config::{Lost, Opening, SOLVER_TUNABLES, SolverConfig};
pub use player::SolverPlayer;
pub use position::Goal;
pub use solver::ProvingSolver;
