//! The resources and the limits of a solver.

use banyan_core::Limits;

/// Positions that a proof may visit for each playout of the budget, and if the budget is a depth. Guesses, untuned.
const NODES_PER_PLAYOUT: u64 = 20;
const NODES_AT_DEPTH: u64 = 200_000;

/// The resources of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// Maximum size of the transposition table in MiB, at least 1.
    pub table_mib: u32,
    /// Search threads, at least 1.
    pub threads: u32,
}

/// The limits of a proof that gets this part of the limits of a search: a solver counts positions, not playouts, and has no depth.
pub fn proof_limits(limits: &Limits, part: f64) -> Limits {
    let as_nodes = limits.playouts.map(|n| n.saturating_mul(NODES_PER_PLAYOUT));
    let nodes = limits.nodes.into_iter().chain(as_nodes).min();
    let nodes = nodes.or(limits.time.is_none().then_some(NODES_AT_DEPTH));
    Limits {
        time: limits.time.map(|time| time.mul_f64(part)),
        nodes: nodes.map(|n| ((n as f64 * part) as u64).max(1)),
        playouts: None,
        depth: None,
        clock: None,
        ..*limits
    }
}
