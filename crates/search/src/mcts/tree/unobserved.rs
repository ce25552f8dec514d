//! Unobserved visits: the statistics of a path while its leaf is pending.
//!
//! Every edge of the path counts one visit more (Liu et al. 2020, WU-UCT), so that the next descent takes another path.
//! The value is added when it is known; until then a child without visits counts as the mean of its siblings. With
//! `pending=loss` the visits are virtual losses too (`virtual_loss`).

use super::access::Access;
use super::graph::{EdgeStats, NodeId};
use super::search_tree::Tree;

impl Tree {
    /// Whether all children of a node are pending. Most nodes have tried some, so the list of pending leaves is rarely
    /// searched.
    #[inline]
    pub(crate) fn awaits_children(&self, node: NodeId) -> bool {
        self.graph.children(node).1 == 0 && self.pending.awaits_children(node)
    }

    /// Adds the leaf at the end of the path to the pending ones.
    pub(crate) fn add_pending(&mut self, offset: i16, node: Option<NodeId>, playouts: u64) {
        self.pending.push(&self.path, offset, node, playouts);
    }

    /// The visits of leaf `i`, the pending one included; 0 for the root.
    pub(crate) fn pending_visits(&self, i: usize) -> u32 {
        let steps = &self.pending.steps[self.pending.steps_of(i)];
        steps.last().map_or(0, |step| self.graph.visits_of(step.edge))
    }

    /// Makes the path of pending leaf `i` the current one; its visits are no virtual losses any more.
    pub(crate) fn restore_path(&mut self, i: usize) {
        self.path.clear();
        self.path.extend_from_slice(&self.pending.steps[self.pending.steps_of(i)]);
        self.remove_losses();
    }

    /// Adds an unobserved visit to every edge of the path, and to the node at its end if that is evaluated `again`.
    pub(crate) fn count_unobserved(&mut self, access: &mut impl Access, again: Option<NodeId>) {
        self.add_losses();
        for i in 0..self.path.len() {
            let step = self.path[i];
            let mut stats = self.graph.stats(step.edge);
            if stats.visits == 0 && step.weight > 0.0 {
                stats.mean = step.sum / step.weight;
            }
            self.graph.set_stats(step.edge, EdgeStats { visits: stats.visits + 1, ..stats });
            if self.params.shared {
                self.note_visits(step.edge.node, step.visits + 1);
            }
            access.counted(self, &step);
        }
        self.root_visits += 1;
        if let Some(node) = again.filter(|_| self.params.shared) {
            let visits = self.graph.shared_visits(node).0;
            self.note_visits(node, visits + 1);
        }
    }
}
