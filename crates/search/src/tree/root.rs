//! What is known of a root's moves before its search begins.

use banyan_core::Side;

use super::graph::{Edge, EdgeStats};
use super::search_tree::Tree;

impl Tree {
    /// Draws conclusions from what is known of the root's moves, which its own bounds may not promise: moves that cannot be
    /// better than another are pruned, all others are not.
    pub(crate) fn prune_root_moves(&mut self, mover: Side, offset: i16) {
        let root = self.root;
        let bounds = self.graph.bounds(root).unassured(mover, self.params.unknown(offset));
        self.graph.set_bounds(root, bounds);
        self.reopen(mover);
        self.propagate_bounds(root, mover);
        let (len, tried) = self.graph.children(root);
        let mut next = tried;
        for index in tried..len {
            let edge = Edge { node: root, len: len as u32, index: index as u32 };
            let assured = self.graph.bounds(root);
            if self.graph.edge_bounds(edge).is_no_better_than(assured, mover, self.params.reward) {
                // Step by step, so that the others keep their order.
                (next..index).rev().for_each(|i| self.graph.swap_untried(root, i, i + 1));
                self.graph.prune(Edge { index: next as u32, ..edge });
                self.graph.count_tried(root, 1);
                next += 1;
            }
        }
    }

    /// Takes the marks of edges away that are pruned only because the root's own bounds promised as much.
    fn reopen(&mut self, mover: Side) {
        let root = self.root;
        let of_children = self.graph.edges(root).map(|edge| self.graph.edge_bounds(edge));
        let assured = of_children.reduce(|a, b| a.best_of(b, mover)).expect("a root has moves");
        for edge in self.graph.edges(root) {
            let bounds = self.graph.edge_bounds(edge);
            if !self.graph.is_pruned(edge) || bounds.is_no_better_than(assured, mover, self.params.reward) {
                continue;
            }
            self.graph.unprune(edge);
            if self.graph.stats(edge).visits == 0 {
                // Every edge that has been tried and is not pruned has a visit.
                let value = bounds.clamp(self.graph.own(root).mean, self.params.reward);
                self.graph.set_stats(edge, EdgeStats::default().with(value));
                let (visits, exploration) = self.graph.shared_visits(root);
                self.graph.set_shared_visits(root, visits + 1, exploration);
            }
        }
    }
}
