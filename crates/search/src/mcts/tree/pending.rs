//! The tree's data of pending leaves: their paths, and the nodes that must not be recycled.

use std::ops::Range;

use super::graph::NodeId;
use super::path::PathStep;

/// The pending leaves.
#[derive(Default)]
pub(crate) struct Pending {
    /// `[n]`: the score from which the values of each leaf count.
    offsets: Vec<i16>,
    /// `[n]`: the node whose children are all to be evaluated; none for a single position.
    nodes: Vec<Option<NodeId>>,
    /// Playouts of all pending leaves.
    playouts: u64,
    /// Their paths, one after another, and the end of each.
    pub(super) steps: Vec<PathStep>,
    ends: Vec<usize>,
    /// Whether a descent met a pending leaf.
    blocked: bool,
}

impl Pending {
    /// The number of pending leaves.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of their playouts.
    #[inline]
    pub(crate) fn playouts(&self) -> u64 {
        self.playouts
    }

    /// The score from which the values of leaf `i` count, and its node if all its children are to be evaluated.
    #[inline]
    pub(crate) fn leaf(&self, i: usize) -> (i16, Option<NodeId>) {
        (self.offsets[i], self.nodes[i])
    }

    /// The nodes whose children are pending.
    #[inline]
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.nodes.iter().flatten().copied()
    }

    /// Whether a pending leaf needs a node, which must then not be recycled.
    pub(super) fn needs(&self, node: NodeId) -> bool {
        self.steps.iter().any(|step| step.edge.node == node) || self.awaits_children(node)
    }

    /// Whether the children of a node are pending.
    pub(super) fn awaits_children(&self, node: NodeId) -> bool {
        self.nodes.contains(&Some(node))
    }

    /// Adds the leaf at the end of `path`, or its node if all the node's children are to be evaluated.
    pub(crate) fn push(&mut self, path: &[PathStep], offset: i16, node: Option<NodeId>, playouts: u64) {
        self.offsets.push(offset);
        self.nodes.push(node);
        self.playouts += playouts;
        self.steps.extend_from_slice(path);
        self.ends.push(self.steps.len());
    }

    /// Removes all pending leaves.
    pub(crate) fn clear(&mut self) {
        self.offsets.clear();
        self.nodes.clear();
        self.playouts = 0;
        self.steps.clear();
        self.ends.clear();
        self.blocked = false;
    }

    /// Records that a descent met a pending leaf.
    pub(crate) fn block(&mut self) {
        self.blocked = true;
    }

    /// Whether the last descent met a pending leaf.
    pub(crate) fn is_blocked(&self) -> bool {
        self.blocked
    }

    /// Returns whether the last descent met a pending leaf, and clears the flag.
    pub(crate) fn take_blocked(&mut self) -> bool {
        std::mem::take(&mut self.blocked)
    }

    /// Removes leaf `i`, a single position.
    pub(crate) fn remove(&mut self, i: usize) {
        let steps = self.steps_of(i);
        self.ends.iter_mut().skip(i).for_each(|end| *end -= steps.len());
        self.steps.drain(steps);
        self.ends.remove(i);
        self.offsets.remove(i);
        self.nodes.remove(i);
        self.playouts -= 1;
        self.blocked = false;
    }

    pub(super) fn steps_of(&self, i: usize) -> Range<usize> {
        let begin = if i == 0 { 0 } else { self.ends[i - 1] };
        begin..self.ends[i]
    }
}
