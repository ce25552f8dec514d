//! How the phases of a simulation reach the nodes: in a graph of the search's own, or in one that other threads work on too.

use banyan_core::Side;

use super::graph::{Below, Edge, NodeId};
use super::params::Params;
use super::path::PathStep;
use super::search_tree::{Expansion, Tree};

/// What a search does where others may work on the same graph.
///
/// Each of several threads searches in copies of its own of the nodes it needs. So the phases of a simulation are the same
/// for one thread and for many, and only what is told here differs: where nodes come from, and what has to be passed on.
pub(crate) trait Access {
    /// Whether children stand in the order they are tried in from the beginning.
    const ORDERED: bool;

    /// A descent begins.
    fn begin_descent(&mut self, tree: &mut Tree);

    /// Whether `child` compares the key of a position, so that it has to be known.
    fn compares_keys(&self, tree: &Tree) -> bool;

    /// The node an edge leads to, if it is still there: of a position with this key, where keys are compared, and with
    /// `mover` to move.
    fn child(&mut self, tree: &mut Tree, edge: Edge, key: u64, mover: Side) -> Option<NodeId>;

    /// Whether the next untried child is this search's to try; if not, its node has to be looked at again.
    fn claim(&mut self, tree: &mut Tree, edge: Edge) -> bool;

    /// The child of a new edge has its first visit before it.
    fn count_first(&mut self, tree: &mut Tree, edge: Edge);

    /// An untried child has been pruned, unseen.
    fn count_pruned(&mut self, tree: &mut Tree, edge: Edge);

    /// The node of the position with this key, if there is one, where positions share nodes; the edge leads to it
    /// from now on.
    fn find(&mut self, tree: &mut Tree, edge: Edge, key: u64, mover: Side) -> Option<NodeId>;

    /// Makes the node of a position whose moves have just been listed; the edge leads to it from now on.
    fn add(&mut self, tree: &mut Tree, edge: Edge, new: &Expansion) -> Option<NodeId>;

    /// The bounds of an edge, or of all edges of its node, are about to be read.
    fn fetch_bounds(&mut self, tree: &mut Tree, edge: Edge, of_all: bool);

    /// A step was chosen; nothing has been written yet. Its node will be read soon.
    fn chose(&mut self, tree: &Tree, edge: Edge);

    /// A step's edge and its node have been written.
    fn wrote(&mut self, tree: &mut Tree, step: &PathStep);
}

/// Nobody else works on the graph.
pub(crate) struct Exclusive;

impl Access for Exclusive {
    const ORDERED: bool = false;

    #[inline(always)]
    fn begin_descent(&mut self, _: &mut Tree) {}

    #[inline(always)]
    fn compares_keys(&self, tree: &Tree) -> bool {
        tree.params.shared && tree.graph.handles_age()
    }

    #[inline(always)]
    fn child(&mut self, tree: &mut Tree, edge: Edge, key: u64, _: Side) -> Option<NodeId> {
        tree.child(edge, key)
    }

    #[inline(always)]
    fn claim(&mut self, _: &mut Tree, _: Edge) -> bool {
        true
    }

    #[inline(always)]
    fn count_first(&mut self, tree: &mut Tree, edge: Edge) {
        tree.graph.count_tried(edge.node, 1);
        tree.nodes += 1;
    }

    #[inline(always)]
    fn count_pruned(&mut self, tree: &mut Tree, edge: Edge) {
        tree.graph.count_tried(edge.node, 1);
    }

    #[inline(always)]
    fn find(&mut self, tree: &mut Tree, edge: Edge, key: u64, _: Side) -> Option<NodeId> {
        let node = tree.graph.find(key)?;
        tree.graph.set_below(edge, Below::Node(node));
        Some(node)
    }

    #[inline(always)]
    fn add(&mut self, tree: &mut Tree, edge: Edge, new: &Expansion) -> Option<NodeId> {
        let node = tree.add_node(new)?;
        tree.graph.set_below(edge, Below::Node(node));
        if tree.params.shared {
            tree.note_visits(node, new.own.visits);
        }
        Some(node)
    }

    #[inline(always)]
    fn fetch_bounds(&mut self, _: &mut Tree, _: Edge, _: bool) {}

    #[inline(always)]
    fn chose(&mut self, tree: &Tree, edge: Edge) {
        tree.graph.prefetch_child(edge);
    }

    #[inline(always)]
    fn wrote(&mut self, _: &mut Tree, _: &PathStep) {}
}

impl Tree {
    /// The node an edge leads to, if it is still there: of a position with this key, where positions share nodes.
    #[inline]
    pub(crate) fn child(&self, edge: Edge, key: u64) -> Option<NodeId> {
        let Below::Node(child) = self.graph.below(edge) else { return None };
        if self.graph.handles_age() && self.graph.key(child) != self.child_key(edge, key) {
            return None;
        }
        Some(child)
    }

    /// The key of the node an edge leads to: that of its position, where positions share nodes.
    #[inline]
    pub(crate) fn child_key(&self, edge: Edge, key: u64) -> u64 {
        if self.params.shared { key } else { Params::key_below(self.graph.key(edge.node), edge.index) }
    }
}
