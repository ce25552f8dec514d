//! What becomes of a node's children: the order by priors, and their values when all are evaluated at once.

use banyan_core::Side;

use super::graph::{Edge, EdgeStats, NodeId};
use super::params::LeafValue;
use super::search_tree::Tree;
use crate::options::ExpansionWidth;

impl Tree {
    /// Has the likeliest of the moves last listed come first.
    pub(crate) fn sort_by_prior(&mut self) {
        let Tree { codes, priors, .. } = self;
        let mut rated: Vec<(u16, f32)> = codes.iter().copied().zip(priors.iter().copied()).collect();
        rated.sort_by(|a, b| b.1.total_cmp(&a.1));
        for ((code, prior), (best, likeliest)) in codes.iter_mut().zip(priors).zip(rated) {
            (*code, *prior) = (best, likeliest);
        }
    }

    /// Gives every child of a new node its value: `values` are those of the children and the points from which they count, in
    /// the order of the children, and others behind them. The node itself counts from `offset`.
    pub(crate) fn store_children(&mut self, node: NodeId, mover: Side, offset: i16, values: &[(i16, LeafValue)]) {
        let len = self.graph.len(node);
        // Children evaluated at expansion are worth one visit together.
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
        self.graph.count_tried(node, len);
        self.nodes += len as u64;
        if self.params.proves() {
            self.propagate_bounds(node, mover);
        }
    }
}
