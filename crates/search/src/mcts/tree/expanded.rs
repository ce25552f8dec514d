//! The children of a new node: sorted by prior, and with values when all are evaluated at once.

use banyan_core::Side;

use super::graph::{Edge, EdgeStats, NodeId};
use super::params::LeafValue;
use super::search_tree::Tree;
use crate::options::ExpansionWidth;

impl Tree {
    /// Sorts the moves listed last by descending prior.
    pub(crate) fn sort_by_prior(&mut self) {
        let Tree { codes, priors, .. } = self;
        let mut rated: Vec<(u16, f32)> = codes.iter().copied().zip(priors.iter().copied()).collect();
        rated.sort_by(|a, b| b.1.total_cmp(&a.1));
        for ((code, prior), (best, likeliest)) in codes.iter_mut().zip(priors).zip(rated) {
            (*code, *prior) = (best, likeliest);
        }
    }

    /// Stores the values of all children of a new node. `values` holds value and score of each child, in the order of
    /// the children, and may be longer. The node itself counts from `offset`.
    pub(crate) fn store_children(&mut self, node: NodeId, mover: Side, offset: i16, values: &[(i16, LeafValue)]) {
        let len = self.graph.len(node);
        // Children evaluated at expansion count as one visit of the node together.
        let visits = if self.params.expand == ExpansionWidth::EvalChildren { 0 } else { 1 };
        for (index, &(below, leaf)) in values[..len].iter().enumerate() {
            let edge = Edge { node, len: len as u32, index: index as u32 };
            let gain = below - offset;
            let stats = EdgeStats::default().with(leaf.value + f32::from(gain));
            self.graph.set_stats(edge, EdgeStats { visits, ..stats });
            if let Some(bounds) = leaf.bounds {
                let bounds = self.graph.edge_bounds(edge).and(bounds.shifted(gain));
                self.graph.set_edge_bounds(edge, bounds);
            }
        }
        if self.params.has_heuristics && self.params.heuristics_are_values {
            self.set_heuristics(node, mover, |index| {
                let (below, leaf) = values[index];
                leaf.value + f32::from(below - offset)
            });
        }
        self.graph.count_tried(node, len);
        self.nodes += len as u64;
        if self.params.proves() {
            self.propagate_bounds(node, mover);
        }
    }
}
