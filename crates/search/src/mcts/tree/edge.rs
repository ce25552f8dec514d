//! Edge statistics, in the arrays behind a node's head.

use banyan_bits::cpu::{LANES, prefetch};

use super::bounds::Packed;
use super::columns::{Column, Columns, Keeps};
use super::graph::{Below, Edge, EdgeStats, Graph, NodeId, PENDING};
use super::layout::{self, FIXED, PRUNED, SLOT, TRIED_SHIFT, head};

/// Words of a cache line.
const WORDS_OF_LINE: usize = 16;
/// Cache lines that hold the head and all that selection reads of a node with a dozen children.
const LINES_READ: usize = 4;

impl Graph {
    /// The words of one array of a node, padded by [`LANES`] words.
    #[inline(always)]
    fn padded(&self, id: NodeId, len: usize, array: usize) -> &[u32] {
        let from = self.array(id, len, array);
        &self.words[from..from + len + LANES]
    }

    /// Visits of the children, padded; the top bit marks pruned ones.
    #[inline(always)]
    pub(crate) fn visits(&self, id: NodeId, len: usize) -> &[u32] {
        self.padded(id, len, layout::VISITS)
    }

    /// Bits of the mean rewards of the children, padded.
    #[inline(always)]
    pub(crate) fn means(&self, id: NodeId, len: usize) -> &[u32] {
        self.padded(id, len, layout::MEANS)
    }

    /// Handles of the children, padded.
    #[inline(always)]
    pub(crate) fn handles(&self, id: NodeId, len: usize) -> &[u32] {
        self.padded(id, len, layout::CHILDREN)
    }

    /// A column of the children, padded, if there is one.
    #[inline(always)]
    pub(crate) fn column(&self, id: NodeId, len: usize, column: Column) -> Option<&[u32]> {
        self.keeps.columns.array(column).map(|array| self.padded(id, len, array))
    }

    /// The number in a column of an edge, if there is one.
    #[inline(always)]
    pub(crate) fn number(&self, edge: Edge, column: Column) -> Option<f32> {
        self.keeps.columns.array(column).map(|array| f32::from_bits(self.words[self.at(edge, array)]))
    }

    /// Sets it, if there is one.
    #[inline(always)]
    pub(crate) fn set_number(&mut self, edge: Edge, column: Column, number: f32) {
        if let Some(array) = self.keeps.columns.array(column) {
            let at = self.at(edge, array);
            self.words[at] = number.to_bits();
        }
    }

    /// Whether the node keeps priors that have not been set.
    #[inline(always)]
    pub(crate) fn lacks_priors(&self, id: NodeId) -> bool {
        let first = |array| self.words[self.array(id, self.len(id), array)];
        self.keeps.columns.array(Column::Prior).is_some_and(|array| first(array) == 0)
    }

    /// Sets the priors of a node's children, if it keeps them.
    pub(crate) fn set_priors(&mut self, id: NodeId, priors: &[f32]) {
        let Some(array) = self.keeps.columns.array(Column::Prior) else { return };
        let at = self.array(id, self.len(id), array);
        let to = &mut self.words[at..at + priors.len()];
        to.iter_mut().zip(priors).for_each(|(word, prior)| *word = prior.to_bits());
    }

    /// What nodes store besides the fixed words.
    #[inline(always)]
    pub(crate) fn keeps(&self) -> Keeps {
        self.keeps
    }

    /// Visits of one child.
    #[inline(always)]
    pub(crate) fn visits_of(&self, edge: Edge) -> u32 {
        self.words[self.at(edge, layout::VISITS)] & !PRUNED
    }

    /// Mean reward of one child.
    #[inline(always)]
    pub(crate) fn mean_of(&self, edge: Edge) -> f32 {
        f32::from_bits(self.words[self.at(edge, layout::MEANS)])
    }

    /// Visits, mean and mean square of one child.
    #[inline(always)]
    pub(crate) fn stats(&self, edge: Edge) -> EdgeStats {
        let square = self.number(edge, Column::Square).unwrap_or(0.0);
        EdgeStats { visits: self.visits_of(edge), mean: self.mean_of(edge), square }
    }

    /// Sets visits, mean and mean square of one child; a pruned child stays pruned.
    #[inline(always)]
    pub(crate) fn set_stats(&mut self, edge: Edge, statistics: EdgeStats) {
        let at = self.at(edge, 0);
        let len = edge.len as usize;
        self.words[at] = self.words[at] & PRUNED | statistics.visits;
        self.words[at + layout::MEANS * len] = statistics.mean.to_bits();
        self.set_number(edge, Column::Square, statistics.square);
    }

    /// Whether the edge is pruned.
    #[inline(always)]
    pub(crate) fn is_pruned(&self, edge: Edge) -> bool {
        self.words[self.at(edge, layout::VISITS)] & PRUNED != 0
    }

    /// Marks an edge as pruned: it is not searched any more.
    #[inline(always)]
    pub(crate) fn prune(&mut self, edge: Edge) {
        let at = self.at(edge, layout::VISITS);
        self.words[at] |= PRUNED;
    }

    /// Removes the mark.
    pub(crate) fn unprune(&mut self, edge: Edge) {
        let at = self.at(edge, layout::VISITS);
        self.words[at] &= !PRUNED;
    }

    /// Proven bounds of the margin from the node on, if the edge's move is played.
    #[inline(always)]
    pub(crate) fn edge_bounds(&self, edge: Edge) -> Packed {
        Packed(self.words[self.at(edge, layout::BOUNDS)])
    }

    /// Sets them.
    #[inline(always)]
    pub(crate) fn set_edge_bounds(&mut self, edge: Edge, bounds: Packed) {
        let at = self.at(edge, layout::BOUNDS);
        self.words[at] = bounds.0;
    }

    /// The prior of an edge.
    pub(crate) fn prior(&self, edge: Edge) -> Option<f32> {
        self.number(edge, Column::Prior)
    }

    /// Counts `n` more children as tried.
    #[inline(always)]
    pub(crate) fn count_tried(&mut self, id: NodeId, n: usize) {
        *self.head_mut(id, head::CHILDREN) += (n as u32) << TRIED_SHIFT;
        self.held += n as u64;
    }

    /// The code of an edge's move.
    #[inline(always)]
    pub(crate) fn code(&self, edge: Edge) -> u16 {
        self.moves[edge.slot()]
    }

    /// The codes of the moves of all edges.
    #[inline(always)]
    pub(crate) fn codes(&self, id: NodeId) -> &[u16] {
        let from = id.0 as usize;
        &self.moves[from..from + self.len(id)]
    }

    /// Swaps two children that have no visits yet.
    #[inline(always)]
    pub(crate) fn swap_untried(&mut self, id: NodeId, a: usize, b: usize) {
        let first = id.0 as usize;
        self.moves.swap(first + a, first + b);
        let at = self.array(id, self.len(id), layout::BOUNDS);
        self.words.swap(at + a, at + b);
        if self.keeps.columns.len() > 0 {
            self.swap_columns(id, a, b);
        }
    }

    #[cold]
    fn swap_columns(&mut self, id: NodeId, a: usize, b: usize) {
        let len = self.len(id);
        for array in FIXED..FIXED + self.keeps.columns.len() {
            let at = self.array(id, len, array);
            self.words.swap(at + a, at + b);
        }
    }

    /// The edges of a node.
    pub(crate) fn edges(&self, node: NodeId) -> impl DoubleEndedIterator<Item = Edge> + use<> {
        let len = self.len(node) as u32;
        (0..len).map(move |index| Edge { node, len, index })
    }

    /// The target of an edge.
    #[inline(always)]
    pub(crate) fn below(&self, edge: Edge) -> Below {
        match self.words[self.at(edge, layout::CHILDREN)] {
            0 => Below::Leaf,
            PENDING => Below::Pending,
            handle => Below::Node(NodeId(handle)),
        }
    }

    /// Prefetches the words that a descent reads first from the node an edge leads to, if there is one.
    #[inline(always)]
    pub(crate) fn prefetch_child(&self, edge: Edge) {
        if let Below::Node(child) = self.below(edge) {
            prefetch_node(&self.words, &self.moves, child, self.keeps.columns);
        }
    }

    /// Sets the target of an edge.
    #[inline(always)]
    pub(crate) fn set_below(&mut self, edge: Edge, below: Below) {
        let at = self.at(edge, layout::CHILDREN);
        self.words[at] = match below {
            Below::Leaf => 0,
            Below::Pending => PENDING,
            Below::Node(id) => id.0,
        };
    }
}

/// Prefetches the words that are read first of a node, wherever it is.
#[inline(always)]
pub(crate) fn prefetch_node<W, M>(words: &[W], moves: &[M], node: NodeId, columns: Columns) {
    let base = node.0 as usize * SLOT;
    (0..LINES_READ).for_each(|line| prefetch(words, base + line * WORDS_OF_LINE));
    prefetch(moves, node.0 as usize);
    if columns.len() > 0 {
        prefetch(words, base + LINES_READ * WORDS_OF_LINE);
    }
}
