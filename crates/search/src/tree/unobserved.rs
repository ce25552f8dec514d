//! What a leaf that waits for its evaluation changes meanwhile.
//!
//! Its path counts a visit more on every edge ("unobserved" visits: Liu et al. 2020, WU-UCT), so that the next descent looks
//! elsewhere. Its value stays out until it is known; a child never seen before counts as its siblings' mean meanwhile.

use super::access::Access;
use super::graph::{EdgeStats, NodeId};
use super::search_tree::Tree;

impl Tree {
    /// Whether a node waits for all its children to be evaluated. Most have tried some, so the leaves that wait are seldom
    /// looked through.
    #[inline]
    pub(crate) fn awaits_children(&self, node: NodeId) -> bool {
        self.graph.children(node).1 == 0 && self.pending.awaits_children(node)
    }

    /// Has the leaf at the end of the path wait.
    pub(crate) fn add_pending(&mut self, offset: i16, node: Option<NodeId>, playouts: u64) {
        self.pending.push(&self.path, offset, node, playouts);
    }

    /// How often leaf `i` has been visited, its visit counted that is under way; 0 for the root.
    pub(crate) fn pending_visits(&self, i: usize) -> u32 {
        let steps = &self.pending.steps[self.pending.steps_of(i)];
        steps.last().map_or(0, |step| self.graph.stats(step.edge).visits)
    }

    /// Makes the path of leaf `i` the current one.
    pub(crate) fn restore_path(&mut self, i: usize) {
        self.path.clear();
        self.path.extend_from_slice(&self.pending.steps[self.pending.steps_of(i)]);
    }

    /// Counts a visit more on every edge of the path, and of the node at its end if that is evaluated `again`.
    pub(crate) fn count_unobserved(&mut self, access: &mut impl Access, again: Option<NodeId>) {
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
            access.wrote(self, &step);
        }
        self.root_visits += 1;
        if let Some(node) = again.filter(|_| self.params.shared) {
            let visits = self.graph.shared_visits(node).0;
            self.note_visits(node, visits + 1);
        }
    }
}
