//! Access to a shared graph: the source of a thread's local copies of nodes, and the publication of their changes.

use banyan_core::Side;

use super::graph::SharedGraph;
use super::handle_table::Insertion;
use super::node_cache::NodeCache;
use super::words::Place;
use crate::mcts::tree::access::Access;
use crate::mcts::tree::bounds::Packed;
use crate::mcts::tree::columns::Column;
use crate::mcts::tree::edge::prefetch_node;
use crate::mcts::tree::graph::{Below, Edge, NodeId};
use crate::mcts::tree::layout::{self, PRUNED, SLOT, head};
use crate::mcts::tree::path::PathStep;
use crate::mcts::tree::search_tree::{Expansion, Tree, new_node};

/// Flag of a handle of a thread-local copy.
const LOCAL: u32 = 1 << 31;
/// Visits per child, and in total, from which a node gets a permanent copy. Tuned by simulations/s of two
/// threads, November 2026: between 8 and 32 per child all are alike.
const PERMANENT_FROM_PER_CHILD: u32 = 16;
const PERMANENT_FROM: u32 = 64;

/// One thread's access to a shared graph.
pub(crate) struct Shared<'a> {
    pub(crate) graph: &'a SharedGraph,
    pub(crate) cache: &'a mut NodeCache,
}

impl Access for Shared<'_> {
    const ORDERED: bool = true;

    #[inline(always)]
    fn begin_descent(&mut self, tree: &mut Tree) {
        if tree.pending.len() == 0 {
            self.cache.drop_temporary();
        }
        self.merge_if_due(tree, tree.root);
    }

    #[inline(always)]
    fn compares_keys(&self, tree: &Tree) -> bool {
        tree.params.shared && self.graph.handles_age()
    }

    #[inline(always)]
    fn child(&mut self, tree: &mut Tree, edge: Edge, key: u64, mover: Side) -> Option<NodeId> {
        if self.cache.is_permanent(edge.node) {
            match tree.graph.below(edge) {
                Below::Pending => return None,
                Below::Node(NodeId(handle)) if handle & LOCAL != 0 => {
                    let copy = NodeId(handle & !LOCAL);
                    self.merge_if_due(tree, copy);
                    return Some(copy);
                }
                Below::Node(_) | Below::Leaf => {}
            }
        }
        let there = self.graph.words.child(self.place(edge));
        let gone = || self.graph.handles_age() && self.graph.key(there) != tree.child_key(edge, key);
        if there == 0 || gone() {
            // Temporary copies may lack the handles.
            tree.graph.set_below(edge, Below::Leaf);
            return None;
        }
        Some(self.child_copy(tree, edge, there, mover))
    }

    #[inline(always)]
    fn claim(&mut self, tree: &mut Tree, edge: Edge) -> bool {
        if self.graph.words.claim(self.base(edge.node), edge.index as usize) {
            tree.graph.count_tried(edge.node, 1);
            tree.nodes += 1;
            self.cache.chunk.tried += 1;
            // A thread that tightens the node's bounds reads the tried edges afterwards, and prunes those that this
            // makes useless.
            if tree.params.proves() {
                let old = tree.graph.bounds(edge.node);
                let both = old.and(Packed(self.graph.words.bounds(self.base(edge.node))));
                if both != old {
                    tree.graph.tighten(edge.node, both, both.decides(tree.params.reward));
                }
            }
            return true;
        }
        self.reload(tree, edge.node);
        false
    }

    #[inline(always)]
    fn count_first(&mut self, _: &mut Tree, _: Edge) {
        // Counted when it was claimed.
    }

    fn count_pruned(&mut self, tree: &mut Tree, edge: Edge) {
        tree.nodes -= 1;
        self.graph.words.prune(self.place(edge));
    }

    #[inline(always)]
    fn find(&mut self, tree: &mut Tree, edge: Edge, key: u64, mover: Side) -> Option<NodeId> {
        let there = self.graph.find(key)?;
        self.link(edge, there);
        Some(self.child_copy(tree, edge, there, mover))
    }

    #[inline(always)]
    fn awaiting(&self, tree: &Tree, key: u64) -> Option<NodeId> {
        tree.pending.nodes().find(|&node| tree.graph.key(node) == key)
    }

    fn add(&mut self, tree: &mut Tree, edge: Edge, new: &Expansion) -> Option<NodeId> {
        let Some(copy) = self.make(tree, new) else {
            // Another thread may be about to publish this node, with the visits of the edge that it read before: those made meanwhile
            // would be neither the node's own nor those of its moves.
            if self.graph.is_short() {
                tree.end_stretch();
            }
            return None;
        };
        if new.awaits {
            tree.graph.set_below(edge, Below::Pending);
            return Some(copy);
        }
        let Some(other) = self.publish_copy(tree, edge, copy) else { return Some(copy) };
        self.graph.undo_write(self.cache.origin(copy), &mut self.cache.chunk);
        self.cache.undo_place(&mut tree.graph, copy);
        Some(self.child_copy(tree, edge, other, new.mover))
    }

    fn publish_node(&mut self, tree: &mut Tree, edge: Edge, node: NodeId, mover: Side) -> Option<NodeId> {
        let tried = tree.graph.children(node).1 as u64;
        if tree.params.shared {
            tree.note_visits(node, tree.graph.total_visits(node) as u32);
        }
        self.cache.chunk.tried += tried;
        let other = self.publish_copy(tree, edge, node)?;
        // A permanent copy of it may be merged later.
        if !self.cache.is_permanent(node) && self.graph.undo_write(self.cache.origin(node), &mut self.cache.chunk) {
            self.cache.chunk.tried -= tried;
        }
        Some(self.child_copy(tree, edge, other, mover))
    }

    fn learnt_priors(&mut self, tree: &Tree, node: NodeId) {
        let (graph, len) = (&tree.graph, tree.graph.len(node));
        let Some(array) = graph.keeps().columns.array(Column::Prior) else { return };
        let from = graph.array(node, len, array);
        self.graph.write_array(self.cache.origin(node), len, array, &graph.words[from..from + len]);
    }

    #[inline(always)]
    fn fetch_bounds(&mut self, tree: &mut Tree, edge: Edge, of_all: bool) {
        if self.cache.is_bounded(edge.node) {
            return;
        }
        if of_all {
            self.cache.copy_bounds(self.graph, &mut tree.graph, edge.node);
        } else {
            let at = tree.graph.at(edge, layout::BOUNDS);
            tree.graph.words[at] = self.graph.words.edge_bounds(self.place(edge));
        }
    }

    #[inline(always)]
    fn chose(&mut self, tree: &Tree, edge: Edge) {
        self.prefetch_child(tree, edge);
        if self.cache.is_permanent(edge.node) {
            return;
        }
        let graph = &tree.graph;
        let base = graph.base(edge.node);
        let [visits, mean, bounds] = [layout::VISITS, layout::MEANS, layout::BOUNDS].map(|array| graph.at(edge, array));
        for at in [base + head::VISITS, base + head::BOUNDS, visits, mean, bounds] {
            self.cache.baseline[at] = graph.words[at];
        }
    }

    #[inline(always)]
    fn counted(&mut self, tree: &mut Tree, step: &PathStep) {
        let edge = step.edge;
        if self.cache.is_permanent(edge.node) {
            return;
        }
        let at = tree.graph.at(edge, layout::VISITS);
        let visits = tree.graph.visits_of(edge);
        let new = visits - (self.cache.baseline[at] & !PRUNED);
        if visits == new {
            // The first visit sets a mean.
            self.publish(tree, edge);
        } else {
            self.graph.words.add_edge_visits(self.place(edge), new);
            self.cache.baseline[at] += new;
        }
        self.publish_visits(tree, edge.node);
    }

    #[inline(always)]
    fn wrote(&mut self, tree: &mut Tree, step: &PathStep) {
        let edge = step.edge;
        let is_proof = tree.params.proves() && self.has_proved(tree, edge);
        if self.cache.is_permanent(edge.node) {
            if is_proof {
                self.merge(tree, edge.node);
            }
            return;
        }
        self.check_origin(tree, edge.node);
        self.publish(tree, edge);
        let base = self.base(edge.node);
        self.publish_visits(tree, edge.node);
        self.graph.words.set_head(base, head::STAMP, self.graph.stamp());
        self.publish_value(tree, edge.node);
        if is_proof {
            self.share_proofs(tree, edge.node);
        }
    }
}

impl Shared<'_> {
    /// Prefetches the node that an edge leads to, if there is one.
    #[inline(always)]
    fn prefetch_child(&self, tree: &Tree, edge: Edge) {
        match tree.graph.below(edge) {
            Below::Node(NodeId(handle)) if handle & LOCAL != 0 => {
                let (words, moves) = (&tree.graph.words, &tree.graph.moves);
                prefetch_node(words, moves, NodeId(handle & !LOCAL), tree.graph.keeps().columns);
            }
            _ => {
                let there = self.graph.words.child(self.place(edge));
                if there != 0 {
                    self.graph.prefetch(there);
                }
            }
        }
    }

    /// Publishes the visits of a temporary copy, where nodes are shared.
    #[inline(always)]
    fn publish_visits(&mut self, tree: &Tree, copy: NodeId) {
        if !tree.params.shared {
            return;
        }
        let (at, base) = (tree.graph.base(copy) + head::VISITS, self.base(copy));
        let (visits, exploration) = tree.graph.shared_visits(copy);
        if visits != self.cache.baseline[at] {
            self.graph.words.add_visits(base, visits - self.cache.baseline[at]);
            self.cache.baseline[at] = visits;
        }
        self.graph.words.set_head(base, head::EXPLORATION, exploration.to_bits());
    }

    /// Index of the first word of the node of which this is a copy.
    #[inline(always)]
    pub(crate) fn base(&self, copy: NodeId) -> usize {
        self.cache.origin(copy) as usize * SLOT
    }

    /// The place of an edge of a copy in the shared graph.
    #[inline(always)]
    pub(crate) fn place(&self, edge: Edge) -> Place {
        self.graph.place(self.cache.origin(edge.node), edge.len, edge.index)
    }

    /// Checks that a copy's node has not been recycled: nothing is while there are copies.
    #[inline(always)]
    pub(crate) fn check_origin(&self, tree: &Tree, copy: NodeId) {
        if cfg!(debug_assertions) {
            let (is, baseline) = (self.graph.key(self.cache.origin(copy)), tree.graph.key(copy));
            assert_eq!(is, baseline, "another node is in its place");
        }
    }

    /// Links an edge to a node.
    #[inline(always)]
    fn link(&self, edge: Edge, there: u32) {
        let place = self.place(edge);
        let old = self.graph.words.child(place);
        if old != there {
            // If another thread was faster, its link leads to the same position.
            _ = self.graph.words.link(place, old, there);
        }
    }

    /// A copy of the node that an edge leads to.
    #[inline(always)]
    fn child_copy(&mut self, tree: &mut Tree, edge: Edge, there: u32, mover: Side) -> NodeId {
        let shared = tree.params.shared;
        let visits = if shared {
            self.graph.words.head(there as usize * SLOT, head::VISITS)
        } else {
            tree.graph.visits_of(edge)
        };
        let parent_is_permanent = self.cache.is_permanent(edge.node);
        // Where nodes are not shared, a permanent copy is found only through that of its parent.
        let permanent = visits >= PERMANENT_FROM && visits >= PERMANENT_FROM_PER_CHILD * self.graph.len(there) as u32;
        if permanent && (shared || parent_is_permanent) {
            let copy = self.permanent_copy(tree, there, mover);
            if parent_is_permanent {
                tree.graph.set_below(edge, Below::Node(NodeId(copy.0 | LOCAL)));
            }
            return copy;
        }
        let copy = self.cache.copy(self.graph, &mut tree.graph, there, false);
        self.cache.note_mover(copy, mover);
        copy
    }

    /// The permanent copy of a node.
    fn permanent_copy(&mut self, tree: &mut Tree, there: u32, mover: Side) -> NodeId {
        let key = self.graph.key(there);
        if tree.params.shared
            && let Some(copy) = tree.graph.find(key)
        {
            self.merge_if_due(tree, copy);
            return copy;
        }
        let copy = self.cache.copy(self.graph, &mut tree.graph, there, true);
        self.cache.note_mover(copy, mover);
        self.count_down(tree, copy);
        if tree.params.shared {
            tree.graph.table.insert(key as u32, copy.0, true, |_| 0);
        }
        copy
    }

    /// Makes a copy of a new node, made of the moves listed last, and allocates the slots of that.
    #[inline(always)]
    fn make(&mut self, tree: &mut Tree, new: &Expansion) -> Option<NodeId> {
        let len = tree.codes.len();
        let there = self.graph.allocate(len, &mut self.cache.chunk)?;
        let copy = self.cache.place(&mut tree.graph, len, there, false);
        let Tree { graph, params, codes, priors, .. } = tree;
        graph.write(copy, &new_node(params, new, codes, priors));
        tree.mark_if_tightened(copy, new);
        if tree.params.shared {
            tree.note_visits(copy, new.own.visits);
        }
        self.cache.note_mover(copy, new.mover);
        Some(copy)
    }

    /// Writes the node of a copy and links the edge to it, or to the node of the same position that another thread has
    /// published, whose handle is returned.
    #[inline(always)]
    fn publish_copy(&mut self, tree: &mut Tree, edge: Edge, copy: NodeId) -> Option<u32> {
        let (there, graph) = (self.cache.origin(copy), &tree.graph);
        let (slot, len) = (copy.0 as usize, graph.len(copy));
        let words = &graph.words[slot * SLOT..(slot + graph.keeps().columns.slots_of(len)) * SLOT];
        self.graph.write(there, words, &graph.moves[slot..slot + len]);
        self.cache.note_published(graph, copy, len);
        let key = graph.key(copy);
        let other = if tree.params.shared {
            match self.graph.insert(key, there, &mut self.cache.chunk) {
                Insertion::Exists(other) => Some(other),
                Insertion::New | Insertion::Replaced => None,
            }
        } else {
            self.graph.link_alone(self.place(edge), key, there).err()
        };
        let known = other.unwrap_or(there);
        self.link(edge, known);
        tree.graph.set_below(edge, Below::Node(NodeId(known)));
        other
    }

    /// Reads a node again that other threads have changed.
    #[cold]
    fn reload(&mut self, tree: &mut Tree, copy: NodeId) {
        if self.cache.is_permanent(copy) {
            self.merge(tree, copy);
        } else {
            let len = tree.graph.len(copy);
            self.cache.refresh(self.graph, &mut tree.graph, copy, len);
        }
    }
}
