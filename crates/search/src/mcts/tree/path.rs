//! The path of a descent.

use banyan_core::Side;

use super::graph::Edge;

/// An edge of a descent, with the values of its node that the backup needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathStep {
    pub(crate) edge: Edge,
    pub(crate) mover: Side,
    /// Points scored by the edge's move, where values are counted from each position on.
    pub(crate) gain: i16,
    /// Visits of the node before this simulation.
    pub(crate) visits: u32,
    /// The rewards of the node without those of this edge: their number and sum.
    pub(crate) weight: f32,
    pub(crate) sum: f32,
}
