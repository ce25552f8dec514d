//! Pruning at the root, before its search begins.

use banyan_core::Side;

use super::graph::{Edge, EdgeStats};
use super::search_tree::Tree;

impl Tree {
    /// Prunes the root moves that cannot be better than another by the bounds of the moves, and unprunes all others.
    /// The root's own bounds are not used, because they do not name the move that attains them.
    pub(crate) fn prune_root_moves(&mut self, mover: Side, offset: i16) {
        let root = self.root;
        let bounds = self.graph.bounds(root).unassured(mover, self.params.unknown(offset));
        self.graph.set_bounds(root, bounds);
        self.unprune_uncertain(mover);
        self.propagate_bounds(root, mover);
        let (len, tried) = self.graph.children(root);
        let mut next = tried;
        for index in tried..len {
            let edge = Edge { node: root, len: len as u32, index: index as u32 };
            let assured = self.graph.bounds(root);
            if self.graph.edge_bounds(edge).is_no_better_than(assured, mover, self.params.reward) {
                // Adjacent swaps keep the order of the other moves.
                (next..index).rev().for_each(|i| self.graph.swap_untried(root, i, i + 1));
                self.graph.prune(Edge { index: next as u32, ..edge });
                self.graph.count_tried(root, 1);
                next += 1;
            }
        }
    }

    /// Unprunes edges that were pruned only because of the root's own bounds.
    fn unprune_uncertain(&mut self, mover: Side) {
        let root = self.root;
        let of_children = self.graph.edges(root).map(|edge| self.graph.edge_bounds(edge));
        let assured = of_children.reduce(|a, b| a.best_of(b, mover)).expect("a root has moves");
        for edge in self.graph.edges(root) {
            let bounds = self.graph.edge_bounds(edge);
            if !self.graph.is_pruned(edge) || bounds.is_no_better_than(assured, mover, self.params.reward) {
                continue;
            }
            self.graph.unprune(edge);
            if self.graph.visits_of(edge) == 0 {
                // Every edge that is tried and not pruned needs a visit.
                let value = bounds.clamp(self.graph.own(root).mean, self.params.reward);
                self.graph.set_stats(edge, EdgeStats::default().with(value));
                let (visits, exploration) = self.graph.shared_visits(root);
                self.graph.set_shared_visits(root, visits + 1, exploration);
            }
        }
    }
}
