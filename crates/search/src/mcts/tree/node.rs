//! Node statistics, in the words of its head.

use super::bounds::Packed;
use super::columns::Column;
use super::graph::{EdgeStats, Graph, NodeId};
use super::layout::{LEN, SOLVED, TIGHTENED, TRIED_SHIFT, head};

impl Graph {
    /// The key of the position or, where positions do not share nodes, of the path to it.
    #[inline(always)]
    pub(crate) fn key(&self, id: NodeId) -> u64 {
        let base = self.base(id);
        u64::from(self.words[base + head::KEY_LOW]) | u64::from(self.words[base + head::KEY_HIGH]) << 32
    }

    /// Number of children, and of those tried.
    #[inline(always)]
    pub(crate) fn children(&self, id: NodeId) -> (usize, usize) {
        let word = self.head(id, head::CHILDREN);
        ((word & LEN) as usize, (word >> TRIED_SHIFT & LEN) as usize)
    }

    /// Updates the number of tried children from another copy of the word. Returns whether it changed.
    pub(crate) fn count_as_tried(&mut self, id: NodeId, theirs: u32) -> bool {
        let word = self.head_mut(id, head::CHILDREN);
        let flags = *word & (SOLVED | TIGHTENED);
        let old = std::mem::replace(word, theirs & !(SOLVED | TIGHTENED) | flags);
        old != *word
    }

    /// Number of children.
    #[inline(always)]
    pub(crate) fn len(&self, id: NodeId) -> usize {
        self.children(id).0
    }

    /// Whether the proven bounds leave a single reward.
    #[inline(always)]
    pub(crate) fn is_solved(&self, id: NodeId) -> bool {
        self.head(id, head::CHILDREN) & SOLVED != 0
    }

    /// Whether the bounds have been tightened since the node was made.
    #[inline(always)]
    pub(crate) fn is_tightened(&self, id: NodeId) -> bool {
        self.head(id, head::CHILDREN) & TIGHTENED != 0
    }

    /// Sets tightened bounds.
    #[inline(always)]
    pub(crate) fn tighten(&mut self, id: NodeId, bounds: Packed, solved: bool) {
        *self.head_mut(id, head::BOUNDS) = bounds.0;
        *self.head_mut(id, head::CHILDREN) |= TIGHTENED | if solved { SOLVED } else { 0 };
    }

    /// Sets bounds and clears the flags that follow from them.
    pub(crate) fn set_bounds(&mut self, id: NodeId, bounds: Packed) {
        *self.head_mut(id, head::BOUNDS) = bounds.0;
        *self.head_mut(id, head::CHILDREN) &= !SOLVED;
    }

    /// Proven bounds of the margin from here on.
    #[inline(always)]
    pub(crate) fn bounds(&self, id: NodeId) -> Packed {
        Packed(self.head(id, head::BOUNDS))
    }

    /// The evaluations of the position itself.
    #[inline(always)]
    pub(crate) fn own(&self, id: NodeId) -> EdgeStats {
        EdgeStats {
            mean: f32::from_bits(self.head(id, head::OWN_MEAN)),
            visits: self.head(id, head::OWN_VISITS),
            square: f32::from_bits(self.head(id, head::OWN_SQUARES)),
        }
    }

    /// Sets them.
    pub(crate) fn set_own(&mut self, id: NodeId, own: EdgeStats) {
        *self.head_mut(id, head::OWN_VISITS) = own.visits;
        *self.head_mut(id, head::OWN_MEAN) = own.mean.to_bits();
        *self.head_mut(id, head::OWN_SQUARES) = own.square.to_bits();
    }

    /// All visits and their exploration term, where nodes are shared.
    #[inline(always)]
    pub(crate) fn shared_visits(&self, id: NodeId) -> (u32, f32) {
        (self.head(id, head::VISITS), f32::from_bits(self.head(id, head::EXPLORATION)))
    }

    /// Sets both.
    #[inline(always)]
    pub(crate) fn set_shared_visits(&mut self, id: NodeId, visits: u32, exploration: f32) {
        *self.head_mut(id, head::VISITS) = visits;
        *self.head_mut(id, head::EXPLORATION) = exploration.to_bits();
    }

    /// Mean reward and mean square, where heads keep them.
    #[inline(always)]
    pub(crate) fn value_if_kept(&self, id: NodeId) -> Option<(f32, f32)> {
        let word = |word| f32::from_bits(self.head(id, word));
        self.keeps.columns.has(Column::Square).then(|| (word(head::VALUE), word(head::SQUARES)))
    }

    /// Sets both.
    pub(crate) fn set_value(&mut self, id: NodeId, mean: f32, square: f32) {
        *self.head_mut(id, head::VALUE) = mean.to_bits();
        *self.head_mut(id, head::SQUARES) = square.to_bits();
    }

    /// Stamps the node as visited now.
    #[inline(always)]
    pub(crate) fn touch(&mut self, id: NodeId) {
        let now = self.made;
        *self.head_mut(id, head::STAMP) = now;
    }

    /// Visits of a node: its own evaluations and those of its edges.
    pub(crate) fn total_visits(&self, id: NodeId) -> u64 {
        let through: u64 = self.edges(id).map(|edge| u64::from(self.visits_of(edge))).sum();
        u64::from(self.own(id).visits) + through
    }
}
