//! Graph access: how the phases of a simulation reach the nodes, in a graph of this thread alone (exclusive) or in one
//! that several threads share.

use banyan_core::Side;

use super::graph::{Below, Edge, NodeId};
use super::params::Params;
use super::path::PathStep;
use super::search_tree::{Expansion, Tree};

/// The operations of a simulation that differ between exclusive and shared graphs.
///
/// Threads that share a graph search in thread-local copies of its nodes. So the phases of a simulation are the same
/// for one thread and for many; they differ only in the source of nodes and in the data written back.
pub(crate) trait Access {
    /// Whether children are sorted from the beginning by the order in which they are tried.
    const ORDERED: bool;

    /// Called at the start of a descent.
    fn begin_descent(&mut self, tree: &mut Tree);

    /// Whether `child` compares keys, so that it needs the key of the position.
    fn compares_keys(&self, tree: &Tree) -> bool;

    /// The node an edge leads to, if it has not been recycled. `key` is that of its position where keys are compared;
    /// `mover` is its side to move.
    fn child(&mut self, tree: &mut Tree, edge: Edge, key: u64, mover: Side) -> Option<NodeId>;

    /// Claims the next untried child; `false` if another thread claimed it, so that the node has to be read again.
    fn claim(&mut self, tree: &mut Tree, edge: Edge) -> bool;

    /// Counts a new edge, whose child is about to get its first visit.
    fn count_first(&mut self, tree: &mut Tree, edge: Edge);

    /// Counts an untried child as tried that has been pruned without a visit.
    fn count_pruned(&mut self, tree: &mut Tree, edge: Edge);

    /// The node of the position with this key, if there is one and positions share nodes. It is linked to the edge.
    fn find(&mut self, tree: &mut Tree, edge: Edge, key: u64, mover: Side) -> Option<NodeId>;

    /// The node with this key that awaits the values of its children and that no edge may lead to yet.
    fn awaiting(&self, tree: &Tree, key: u64) -> Option<NodeId>;

    /// Makes the node of a position whose moves have just been listed, and links it to the edge; if all its children are
    /// to be evaluated first, other threads find it once it is published.
    fn add(&mut self, tree: &mut Tree, edge: Edge, new: &Expansion) -> Option<NodeId>;

    /// Called when the children of a node at the end of an edge have values. If another thread was first to publish the
    /// position's node: a copy of that, which replaces it.
    fn publish_node(&mut self, tree: &mut Tree, edge: Edge, node: NodeId, mover: Side) -> Option<NodeId>;

    /// Called when the priors of a node have been set.
    fn learnt_priors(&mut self, tree: &Tree, node: NodeId);

    /// Called before the bounds of an edge, or of all edges of its node, are read.
    fn fetch_bounds(&mut self, tree: &mut Tree, edge: Edge, of_all: bool);

    /// Called when an edge is selected, before anything is written; its node will be read soon.
    fn chose(&mut self, tree: &Tree, edge: Edge);

    /// Called when a visit of a step's edge and its node has been counted whose value is not known yet.
    fn counted(&mut self, tree: &mut Tree, step: &PathStep);

    /// Called when a step's edge and its node have been written.
    fn wrote(&mut self, tree: &mut Tree, step: &PathStep);
}

/// A graph of this thread alone.
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
    fn awaiting(&self, _: &Tree, _: u64) -> Option<NodeId> {
        None
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
    fn publish_node(&mut self, _: &mut Tree, _: Edge, _: NodeId, _: Side) -> Option<NodeId> {
        None
    }

    #[inline(always)]
    fn learnt_priors(&mut self, _: &Tree, _: NodeId) {}

    #[inline(always)]
    fn fetch_bounds(&mut self, _: &mut Tree, _: Edge, _: bool) {}

    #[inline(always)]
    fn chose(&mut self, tree: &Tree, edge: Edge) {
        tree.graph.prefetch_child(edge);
    }

    #[inline(always)]
    fn counted(&mut self, _: &mut Tree, _: &PathStep) {}

    #[inline(always)]
    fn wrote(&mut self, _: &mut Tree, _: &PathStep) {}
}

impl Tree {
    /// The node an edge leads to, if it has not been recycled. `key` is that of its position where positions share
    /// nodes.
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
