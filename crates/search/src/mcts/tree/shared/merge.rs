//! Merging thread-local copies with the shared graph.

use super::access::Shared;
use super::node_cache::COUNTDOWN;
use super::words::Change;
use crate::mcts::tree::bounds::Packed;
use crate::mcts::tree::columns::Merge;
use crate::mcts::tree::graph::{Below, Edge, NodeId};
use crate::mcts::tree::layout::{self, PRUNED, SLOT, SOLVED, TIGHTENED, head};
use crate::mcts::tree::search_tree::Tree;

/// A permanent copy is merged whenever its visits have grown by 2^-3. Tuned by simulations/s of two threads, November
/// 2026: between 2 and 4 all are alike.
const MERGE_SHIFT: u32 = 3;

impl Shared<'_> {
    /// Counts a visit of a permanent copy, and merges it when it is due.
    #[inline(always)]
    pub(crate) fn merge_if_due(&mut self, tree: &mut Tree, copy: NodeId) {
        let left = &mut self.cache.baseline[copy.0 as usize * SLOT + COUNTDOWN];
        if *left > 1 {
            *left -= 1;
        } else {
            self.merge(tree, copy);
        }
    }

    /// Sets the visits until the next merge of a copy.
    pub(crate) fn count_down(&mut self, tree: &mut Tree, copy: NodeId) {
        let visits = tree.graph.total_visits(copy);
        self.cache.baseline[copy.0 as usize * SLOT + COUNTDOWN] = (visits as u32 >> MERGE_SHIFT).max(2);
        if copy == self.cache.first() {
            tree.root_visits = visits as u32;
        }
    }

    /// Whether a copy has tightened bounds of an edge or its node that are not published.
    #[inline(always)]
    pub(crate) fn has_proved(&self, tree: &Tree, edge: Edge) -> bool {
        if !self.cache.is_bounded(edge.node) {
            return false;
        }
        let (graph, baseline) = (&tree.graph, &self.cache.baseline);
        let differs = |at: usize| graph.words[at] ^ baseline[at];
        let (of_node, of_edge) = (graph.base(edge.node) + head::BOUNDS, graph.at(edge, layout::BOUNDS));
        differs(of_node) != 0 || differs(of_edge) != 0 || differs(graph.at(edge, layout::VISITS)) & PRUNED != 0
    }

    /// Publishes the visits and mean of an edge.
    #[inline(always)]
    pub(crate) fn publish(&mut self, tree: &mut Tree, edge: Edge) -> (u32, f32) {
        self.publish_columns(tree, edge);
        let statistics = tree.graph.stats(edge);
        let [at, mean] = [layout::VISITS, layout::MEANS].map(|array| tree.graph.at(edge, array));
        let (place, words) = (self.place(edge), &self.graph.words);
        let baseline = &mut self.cache.baseline;
        let before = (baseline[at] & !PRUNED, f32::from_bits(baseline[mean]));
        let after = (statistics.visits, statistics.mean);
        let there = self.graph.words.add(place, Change { before, after }, |mean| {
            Packed(words.edge_bounds(place)).clamp(mean, tree.params.reward)
        });
        baseline[at] = baseline[at] & PRUNED | after.0;
        baseline[mean] = after.1.to_bits();
        there
    }

    /// Publishes the columns of an edge that visits change and reads them, by their rules; before its visits.
    #[inline(always)]
    fn publish_columns(&mut self, tree: &mut Tree, edge: Edge) {
        if tree.graph.keeps().columns.change() {
            self.merge_columns(tree, edge);
        }
    }

    fn merge_columns(&mut self, tree: &mut Tree, edge: Edge) {
        let (place, words, graph) = (self.place(edge), &self.graph.words, &mut tree.graph);
        let now = graph.visits_of(edge);
        let last = self.cache.baseline[graph.at(edge, layout::VISITS)] & !PRUNED;
        for (array, rule) in graph.keeps().columns.merges() {
            let at = graph.at(edge, array);
            let [before, after] = [self.cache.baseline[at], graph.words[at]].map(f32::from_bits);
            let merged = match rule {
                // Published when it was set.
                Merge::Same => continue,
                Merge::Sum => words.add_sum(place, array, before, after),
                Merge::Mean(range) => {
                    let change = Change { before: (last, before), after: (now, after) };
                    words.add_mean(place, array, change, words.visits(place), |mean| {
                        let [least, most] = range(Packed(words.edge_bounds(place)).rewards(tree.params.reward));
                        mean.clamp(least, most)
                    })
                }
            };
            graph.words[at] = merged.to_bits();
            self.cache.baseline[at] = merged.to_bits();
        }
    }

    /// Publishes the mean and mean square of a node, if nodes keep them.
    #[inline(always)]
    pub(crate) fn publish_value(&self, tree: &Tree, copy: NodeId) {
        if let Some((mean, square)) = tree.graph.value_if_kept(copy) {
            self.graph.words.set_head(self.base(copy), head::VALUE, mean.to_bits());
            self.graph.words.set_head(self.base(copy), head::SQUARES, square.to_bits());
        }
    }

    /// Merges a copy with its node: publishes its changes and reads those of other threads.
    pub(crate) fn merge(&mut self, tree: &mut Tree, copy: NodeId) {
        self.check_origin(tree, copy);
        let base = self.base(copy);
        for edge in tree.graph.edges(copy) {
            let (visits, mean) = self.publish(tree, edge);
            let [at, at_mean] = [layout::VISITS, layout::MEANS].map(|array| tree.graph.at(edge, array));
            tree.graph.words[at] = tree.graph.words[at] & PRUNED | visits;
            tree.graph.words[at_mean] = mean.to_bits();
            self.cache.baseline[at] = self.cache.baseline[at] & PRUNED | visits;
            self.cache.baseline[at_mean] = mean.to_bits();
        }
        if self.cache.needs_handles {
            self.read_handles(tree, copy);
        }
        tree.graph.count_as_tried(copy, self.graph.words.children(base));
        if tree.params.shared {
            let at = tree.graph.base(copy) + head::VISITS;
            let new = tree.graph.words[at] - self.cache.baseline[at];
            let visits = self.graph.words.add_visits(base, new);
            tree.note_visits(copy, visits);
            self.cache.baseline[at] = visits;
            let exploration = tree.graph.head(copy, head::EXPLORATION);
            self.graph.words.set_head(base, head::EXPLORATION, exploration);
        }
        self.graph.words.set_head(base, head::STAMP, self.graph.stamp());
        self.publish_value(tree, copy);
        if tree.params.proves() && !self.agrees_in_proofs(tree, copy) {
            self.share_proofs(tree, copy);
        }
        self.count_down(tree, copy);
    }

    /// Reads which edges of a copy lead to nodes that other threads have made.
    fn read_handles(&self, tree: &mut Tree, copy: NodeId) {
        for edge in tree.graph.edges(copy) {
            let there = self.graph.words.child(self.place(edge));
            if there != 0 && tree.graph.below(edge) == Below::Leaf {
                tree.graph.set_below(edge, Below::Node(NodeId(there)));
            }
        }
    }

    /// Whether neither a copy nor its node has bounds, pruned edges or flags that the other lacks.
    fn agrees_in_proofs(&self, tree: &Tree, copy: NodeId) -> bool {
        let (words, graph, baseline, base) = (&self.graph.words, &tree.graph, &self.cache.baseline, self.base(copy));
        let at = graph.base(copy) + head::BOUNDS;
        let bounds = graph.words[at];
        let agrees = |edge: Edge| {
            let [visits, at] = [layout::VISITS, layout::BOUNDS].map(|array| graph.at(edge, array));
            let bounds = graph.words[at];
            let pruned = (graph.words[visits] ^ baseline[visits]) & PRUNED;
            bounds == baseline[at] && pruned == 0 && bounds == words.edge_bounds(self.place(edge))
        };
        bounds == baseline[at]
            && bounds == words.bounds(base)
            && graph.head(copy, head::CHILDREN) == words.children(base)
            && graph.edges(copy).all(agrees)
    }

    /// Merges the bounds of a copy with those of its node, and propagates both.
    pub(crate) fn share_proofs(&mut self, tree: &mut Tree, copy: NodeId) {
        let words = &self.graph.words;
        let base = self.base(copy);
        let intersect = |own: Packed| move |there: u32| Packed(there).and(own).0;
        for edge in tree.graph.edges(copy) {
            words.tighten_edge(self.place(edge), intersect(tree.graph.edge_bounds(edge)));
        }
        // In a second pass, so that of two threads that tighten two edges one sees both.
        let mut changed = false;
        for edge in tree.graph.edges(copy) {
            let both = tree.graph.edge_bounds(edge).and(Packed(words.edge_bounds(self.place(edge))));
            changed |= both != tree.graph.edge_bounds(edge);
            tree.graph.set_edge_bounds(edge, both);
        }
        let old = tree.graph.bounds(copy);
        let both = Packed(words.tighten_node(base, intersect(old)));
        if both != old {
            tree.graph.tighten(copy, both, both.decides(tree.params.reward));
        }
        if changed || both != old {
            tree.propagate_bounds(copy, self.cache.mover(copy));
            words.tighten_node(base, intersect(tree.graph.bounds(copy)));
        }
        if tree.graph.count_as_tried(copy, words.children(base)) {
            tree.propagate_bounds(copy, self.cache.mover(copy));
        }
        let flags = tree.graph.head(copy, head::CHILDREN) & (SOLVED | TIGHTENED);
        if flags != 0 {
            words.flag(base, flags);
        }
        let at = tree.graph.base(copy) + head::BOUNDS;
        self.cache.baseline[at] = tree.graph.words[at];
        for edge in tree.graph.edges(copy) {
            let [visits, bounds] = [layout::VISITS, layout::BOUNDS].map(|array| tree.graph.at(edge, array));
            self.cache.baseline[bounds] = tree.graph.words[bounds];
            if tree.graph.is_pruned(edge) {
                words.prune(self.place(edge));
                self.cache.baseline[visits] |= PRUNED;
            }
        }
    }

    /// Merges all permanent copies with at least `least` visits.
    pub(crate) fn merge_all(&mut self, tree: &mut Tree, least: u64) {
        for copy in self.cache.permanent_copies(&tree.graph) {
            if tree.graph.total_visits(copy) >= least {
                self.merge(tree, copy);
            }
        }
    }
}
