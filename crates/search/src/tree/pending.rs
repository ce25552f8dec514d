//! Leaves that wait for their evaluation, as far as that concerns the tree: their paths, and the nodes that must stay.

use std::ops::Range;

use super::graph::NodeId;
use super::path::PathStep;

/// The leaves that wait.
#[derive(Default)]
pub(crate) struct Pending {
    /// `[n]`: the points from which the values of each leaf count.
    offsets: Vec<i16>,
    /// `[n]`: the node whose children are all to be evaluated; none for a leaf that is one position.
    nodes: Vec<Option<NodeId>>,
    /// Playouts that all will take.
    playouts: u64,
    /// Their paths, one after another, and where each ends.
    pub(super) steps: Vec<PathStep>,
    ends: Vec<usize>,
    /// Whether a descent met a leaf that waits.
    blocked: bool,
}

impl Pending {
    /// How many leaves wait.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many playouts they will take.
    #[inline]
    pub(crate) fn playouts(&self) -> u64 {
        self.playouts
    }

    /// The points from which the values of leaf `i` count, and its node if all its children are to be evaluated.
    #[inline]
    pub(crate) fn leaf(&self, i: usize) -> (i16, Option<NodeId>) {
        (self.offsets[i], self.nodes[i])
    }

    /// Whether something that waits needs a node to stay.
    pub(super) fn needs(&self, node: NodeId) -> bool {
        self.steps.iter().any(|step| step.edge.node == node) || self.awaits_children(node)
    }

    /// Whether a node waits for its children to be evaluated.
    pub(super) fn awaits_children(&self, node: NodeId) -> bool {
        self.nodes.contains(&Some(node))
    }

    /// A leaf waits, or a node of it all of whose children are to be evaluated, at the end of `path`.
    pub(crate) fn push(&mut self, path: &[PathStep], offset: i16, node: Option<NodeId>, playouts: u64) {
        self.offsets.push(offset);
        self.nodes.push(node);
        self.playouts += playouts;
        self.steps.extend_from_slice(path);
        self.ends.push(self.steps.len());
    }

    /// Nothing waits any more.
    pub(crate) fn clear(&mut self) {
        self.offsets.clear();
        self.nodes.clear();
        self.playouts = 0;
        self.steps.clear();
        self.ends.clear();
        self.blocked = false;
    }

    /// A descent met a leaf that waits.
    pub(crate) fn block(&mut self) {
        self.blocked = true;
    }

    /// Whether the last descent met a leaf that waits.
    pub(crate) fn is_blocked(&self) -> bool {
        self.blocked
    }

    /// The same, once.
    pub(crate) fn take_blocked(&mut self) -> bool {
        std::mem::take(&mut self.blocked)
    }

    /// Leaf `i`, a single position, waits no more.
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
