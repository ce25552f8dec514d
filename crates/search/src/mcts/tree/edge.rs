//! Edge statistics, in the arrays behind a node's head.

use banyan_bits::cpu::{LANES, prefetch};

use super::bounds::Packed;
use super::graph::{Below, Edge, EdgeStats, Graph, NodeId, PENDING, PRIORS, SQUARES};
use super::layout::{self, Keeps, PRUNED, TRIED_SHIFT, head};

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

    /// Bits of the mean squares of the children's rewards, padded, if kept.
    pub(crate) fn squares(&self, id: NodeId, len: usize) -> &[u32] {
        &self.extras[SQUARES][id.0 as usize..id.0 as usize + len + LANES]
    }

    /// Bits of the children's priors, padded, if kept.
    pub(crate) fn priors(&self, id: NodeId, len: usize) -> &[u32] {
        &self.extras[PRIORS][id.0 as usize..id.0 as usize + len + LANES]
    }

    /// Whether the priors of a node that keeps them have been set; until then they are 0.
    #[inline(always)]
    pub(crate) fn has_priors(&self, id: NodeId) -> bool {
        self.extras[PRIORS][id.0 as usize] != 0
    }

    /// Sets the priors of a node's children.
    #[inline(always)]
    pub(crate) fn set_priors(&mut self, id: NodeId, priors: &[f32]) {
        let first = id.0 as usize;
        let to = &mut self.extras[PRIORS][first..first + priors.len()];
        to.iter_mut().zip(priors).for_each(|(word, prior)| *word = prior.to_bits());
    }

    /// The optional data that nodes keep with these settings.
    #[inline(always)]
    pub(crate) fn keeps(&self) -> Keeps {
        self.keeps
    }

    /// Visits, mean and mean square of one child.
    #[inline(always)]
    pub(crate) fn stats(&self, edge: Edge) -> EdgeStats {
        let at = self.at(edge, 0);
        let len = edge.len as usize;
        let square = if self.keeps.squares { self.extras[SQUARES][edge.slot()] } else { 0 };
        EdgeStats {
            visits: self.words[at] & !PRUNED,
            mean: f32::from_bits(self.words[at + layout::MEANS * len]),
            square: f32::from_bits(square),
        }
    }

    /// Sets visits, mean and mean square of one child; a pruned child stays pruned.
    #[inline(always)]
    pub(crate) fn set_stats(&mut self, edge: Edge, statistics: EdgeStats) {
        let at = self.at(edge, 0);
        let len = edge.len as usize;
        self.words[at] = self.words[at] & PRUNED | statistics.visits;
        self.words[at + layout::MEANS * len] = statistics.mean.to_bits();
        if self.keeps.squares {
            self.extras[SQUARES][edge.slot()] = statistics.square.to_bits();
        }
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
        self.keeps.priors.then(|| f32::from_bits(self.extras[PRIORS][edge.slot()]))
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
        if self.keeps.priors {
            self.extras[PRIORS].swap(first + a, first + b);
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
        let Below::Node(child) = self.below(edge) else { return };
        let (base, first) = (self.base(child), child.0 as usize);
        (0..LINES_READ).for_each(|line| prefetch(&self.words, base + line * WORDS_OF_LINE));
        prefetch(&self.moves, first);
        if self.keeps.priors {
            prefetch(&self.extras[PRIORS], first);
            prefetch(&self.extras[PRIORS], first + WORDS_OF_LINE);
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
