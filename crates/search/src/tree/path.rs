//! The way of a descent.

use banyan_core::Side;

use super::graph::Edge;

/// An edge of a descent, with what the backup needs to know of its node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathStep {
    pub(crate) edge: Edge,
    pub(crate) mover: Side,
    /// Points scored by the edge's move, where values are counted from the position on.
    pub(crate) gain: i16,
    /// Visits of the node before this simulation.
    pub(crate) visits: u32,
    /// What came not through this edge: the number of rewards that count, and their sum.
    pub(crate) weight: f32,
    pub(crate) sum: f32,
}
