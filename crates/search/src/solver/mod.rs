//! Exact values by a [`Prover`](banyan_core::Prover), the game's own or alpha-beta: the solver and the player built on it.

mod config;
mod line;
mod player;
mod position;
mod prove;
mod proving_solver;
mod threads;
mod windows;

use banyan_core::{Game, Prover};

pub use config::{Lost, Opening, SOLVER_TUNABLES, SolverConfig};
pub use player::SolverPlayer;
pub use position::Goal;
pub use prove::prove;
pub use proving_solver::ProvingSolver;
pub(crate) use windows::between;

use crate::alpha_beta::AlphaBetaProver;
use crate::kit::Kit;

/// The dedicated prover of the game, or alpha-beta, with a table of at most `table_mib` MiB.
pub fn prover<G: Game, T: Kit<G>>(kit: &T, table_mib: u32) -> Box<dyn Prover<G>> {
    let own = kit.prover(u64::from(table_mib) << 20);
    own.unwrap_or_else(|| Box::new(AlphaBetaProver::new(table_mib, kit.knowledge())))
}
