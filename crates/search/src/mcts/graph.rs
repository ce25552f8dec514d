//! The nodes of a search and what is known of them: one arena of words, laid out as `layout` says.
//!
//! A scan over children reads neighbouring words, eight at a time, and nothing is allocated per node. Moves lie in a list
//! of their own, at the number of the node's first slot and behind it. Handles may outlive the node they name: once
//! nodes are recycled, whoever follows a handle compares the key.

use banyan_core::cpu::LANES;

use super::bounds::Packed;
use super::layout::{self, HEAD, Keeps, SLOT, head, slots_of};
use super::recycle::Recycler;
use super::table::Table;

/// Fewer children than this fit a node.
const MOST_CHILDREN: usize = 1 << 14;
/// Bits that count children.
const LEN: u32 = MOST_CHILDREN as u32 - 1;
const TRIED_SHIFT: u32 = 14;
/// Flags of a head: bounds fix the reward; bounds have narrowed since the node was made; not a node but free slots.
const SETTLED: u32 = 1 << 31;
const NARROWED: u32 = 1 << 30;
const FREE: u32 = 1 << 29;
/// Marks, in the visits of an edge, one that need not be searched any more.
const CLOSED: u32 = 1 << 31;
/// What lies apart.
const SQUARES: usize = 0;
const PRIORS: usize = 1;
/// In place of a handle: the leaf waits for its evaluation.
const WAITING: u32 = u32::MAX;

/// Handle of a node: the number of its first slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(super) u32);

impl NodeId {
    /// The handle of no node.
    pub(crate) const NONE: NodeId = NodeId(0);
}

/// One edge of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) node: NodeId,
    /// Number of children of the node.
    pub(crate) len: u32,
    /// Which of them, in the order they are tried in.
    pub(crate) index: u32,
}

impl Edge {
    /// Where its move lies.
    #[inline(always)]
    fn slot(self) -> usize {
        self.node.0 as usize + self.index as usize
    }
}

/// What an edge leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Below {
    /// A position without a node.
    Leaf,
    /// A position without a node, whose evaluation is under way.
    Waiting,
    /// A node, or what was one before its slots were recycled.
    Node(NodeId),
}

/// Visits, mean reward and mean square of it, seen by the first side, still to go. Squares are 0 where none are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) visits: u32,
    pub(crate) mean: f32,
    pub(crate) square: f32,
}

impl Tally {
    /// One more reward.
    #[inline(always)]
    pub(crate) fn with(self, reward: f32) -> Tally {
        let visits = self.visits + 1;
        Tally {
            visits,
            mean: self.mean + (reward - self.mean) / visits as f32,
            square: self.square + (reward * reward - self.square) / visits as f32,
        }
    }
}

/// A node to be made.
pub(crate) struct NewNode<'a, M> {
    pub(crate) key: u64,
    pub(crate) moves: &'a [M],
    /// One probability for each move, or nothing where none are kept.
    pub(crate) priors: &'a [f32],
    /// What is known of the position already.
    pub(crate) own: Tally,
    /// Proven bounds of the position itself, and of each of its children.
    pub(crate) bounds: Packed,
    pub(crate) child_bounds: Packed,
}

/// The arena.
#[derive(Debug)]
pub(crate) struct Graph<M> {
    pub(super) keeps: Keeps,
    pub(super) words: Vec<u32>,
    pub(super) moves: Vec<M>,
    /// Mean square and prior of each edge, where one of them is kept, at the slots of the moves.
    pub(super) extras: [Vec<u32>; 2],
    pub(super) table: Table,
    pub(super) recycler: Recycler,
    /// Nodes made since the beginning, round and round.
    pub(super) made: u32,
    /// Positions with statistics of their own, but for the root: edges tried of nodes that are still there.
    pub(super) held: u64,
}

impl<M: Copy> Graph<M> {
    /// An empty graph that will never take more than `memory_mib`.
    pub(crate) fn new(memory_mib: u32, keeps: Keeps) -> Graph<M> {
        // Slot 0 is never a node: handle 0 says "no child".
        Graph {
            keeps,
            words: vec![0; SLOT + LANES],
            moves: Vec::new(),
            extras: [Vec::new(), Vec::new()],
            table: Table::new(),
            recycler: Recycler::new(memory_mib),
            made: 0,
            held: 0,
        }
    }

    /// Forgets every node, keeping the memory.
    pub(crate) fn clear(&mut self) {
        self.words.truncate(SLOT + LANES);
        self.words.fill(0);
        self.moves.clear();
        self.extras.iter_mut().for_each(Vec::clear);
        self.table.clear();
        self.recycler.clear();
        (self.made, self.held) = (0, 0);
    }

    /// Memory taken by nodes and the table that finds them, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let table = if self.keeps.shared { self.table.bytes() } else { 0 };
        self.words.len() * 4 + self.moves.len() * self.bytes_beside() + table
    }

    /// Bytes of a slot that lie not among the words.
    pub(super) fn bytes_beside(&self) -> usize {
        size_of::<M>() + 4 * (usize::from(self.keeps.squares) + usize::from(self.keeps.priors))
    }

    /// Positions with statistics of their own.
    pub(crate) fn held(&self) -> u64 {
        self.held + 1
    }

    /// Whether a handle may name a node that is there no more.
    #[inline(always)]
    pub(crate) fn handles_age(&self) -> bool {
        self.recycler.is_full()
    }

    /// Makes a node, none of its children tried, or gives up when everything is in use. `pinned` nodes stay.
    #[inline]
    pub(crate) fn add(&mut self, new: &NewNode<'_, M>, pinned: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let len = new.moves.len();
        assert!((1..MOST_CHILDREN).contains(&len), "a node with {len} children");
        let slots = slots_of(len);
        let id = self.allocate(slots, &pinned)?;
        let base = self.base(id);
        self.words[base..base + slots * SLOT].fill(0);
        if self.moves.len() < id.0 as usize + slots {
            // What lies in a slot without a move is never read; any move will do.
            self.moves.resize(id.0 as usize + slots, new.moves[0]);
        }
        self.moves[id.0 as usize..id.0 as usize + len].copy_from_slice(new.moves);
        self.made = self.made.wrapping_add(1);
        let words = &mut self.words[base..];
        words[head::OWN_MEAN] = new.own.mean.to_bits();
        words[head::OWN_VISITS] = new.own.visits;
        words[head::CHILDREN] = len as u32;
        words[head::KEY_LOW] = new.key as u32;
        words[head::KEY_HIGH] = (new.key >> 32) as u32;
        words[head::STAMP] = self.made;
        words[head::BOUNDS] = new.bounds.0;
        words[head::VISITS] = new.own.visits;
        words[head::VALUE] = new.own.mean.to_bits();
        words[head::OWN_SQUARES] = new.own.square.to_bits();
        words[head::SQUARES] = new.own.square.to_bits();
        let at = HEAD + layout::BOUNDS * len;
        words[at..at + len].fill(new.child_bounds.0);
        self.add_extras(id, slots, new);
        let keeps = self.keeps;
        if keeps.shared {
            let may_grow = self.bytes() + 64 < self.recycler.cap_bytes();
            let Graph { table, words, .. } = self;
            table.insert(new.key as u32, id.0, may_grow, |old| words[old as usize * SLOT + head::VISITS]);
        }
        Some(id)
    }

    /// Room for what lies apart.
    #[inline(always)]
    fn add_extras(&mut self, id: NodeId, slots: usize, new: &NewNode<'_, M>) {
        let (first, len) = (id.0 as usize, new.moves.len());
        for (list, kept) in self.extras.iter_mut().zip([self.keeps.squares, self.keeps.priors]) {
            if kept {
                // As much more as the scan over children reads.
                list.resize(list.len().max(first + slots + LANES), 0);
                list[first..first + len].fill(0);
            }
        }
        if self.keeps.priors {
            let to = &mut self.extras[PRIORS][first..first + len];
            to.iter_mut().zip(new.priors).for_each(|(word, prior)| *word = prior.to_bits());
        }
    }

    /// The node with this key, where nodes are shared.
    #[inline(always)]
    pub(crate) fn find(&self, key: u64) -> Option<NodeId> {
        self.table.find(key as u32, |handle| self.key(NodeId(handle)) == key).map(NodeId)
    }

    #[inline(always)]
    pub(super) fn base(&self, id: NodeId) -> usize {
        id.0 as usize * SLOT
    }

    #[inline(always)]
    fn head(&self, id: NodeId, word: usize) -> u32 {
        self.words[self.base(id) + word]
    }

    #[inline(always)]
    fn head_mut(&mut self, id: NodeId, word: usize) -> &mut u32 {
        let at = self.base(id) + word;
        &mut self.words[at]
    }

    /// Where the words of an array begin.
    #[inline(always)]
    fn array(&self, id: NodeId, len: usize, array: usize) -> usize {
        self.base(id) + HEAD + array * len
    }

    #[inline(always)]
    fn at(&self, edge: Edge, array: usize) -> usize {
        self.array(edge.node, edge.len as usize, array) + edge.index as usize
    }

    /// Names the position, or with separate nodes the way to it.
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

    /// Number of children.
    #[inline(always)]
    pub(crate) fn len(&self, id: NodeId) -> usize {
        self.children(id).0
    }

    /// Whether proven bounds leave a single reward.
    #[inline(always)]
    pub(crate) fn is_settled(&self, id: NodeId) -> bool {
        self.head(id, head::CHILDREN) & SETTLED != 0
    }

    /// Whether bounds are narrower than when the node was made.
    #[inline(always)]
    pub(crate) fn is_narrowed(&self, id: NodeId) -> bool {
        self.head(id, head::CHILDREN) & NARROWED != 0
    }

    /// Notes narrower bounds.
    #[inline(always)]
    pub(crate) fn narrow(&mut self, id: NodeId, bounds: Packed, settled: bool) {
        *self.head_mut(id, head::BOUNDS) = bounds.0;
        *self.head_mut(id, head::CHILDREN) |= NARROWED | if settled { SETTLED } else { 0 };
    }

    /// Sets bounds anew, as if nothing had been settled.
    pub(crate) fn set_bounds(&mut self, id: NodeId, bounds: Packed) {
        *self.head_mut(id, head::BOUNDS) = bounds.0;
        *self.head_mut(id, head::CHILDREN) &= !SETTLED;
    }

    /// Proven bounds of the margin still to go.
    #[inline(always)]
    pub(crate) fn bounds(&self, id: NodeId) -> Packed {
        Packed(self.head(id, head::BOUNDS))
    }

    /// The evaluations of the position itself.
    #[inline(always)]
    pub(crate) fn own(&self, id: NodeId) -> Tally {
        Tally {
            mean: f32::from_bits(self.head(id, head::OWN_MEAN)),
            visits: self.head(id, head::OWN_VISITS),
            square: f32::from_bits(self.head(id, head::OWN_SQUARES)),
        }
    }

    /// Sets the mean of the evaluations of the position itself.
    pub(crate) fn set_own_mean(&mut self, id: NodeId, mean: f32) {
        *self.head_mut(id, head::OWN_MEAN) = mean.to_bits();
    }

    /// Visits in all and the exploration term that belongs to them, where nodes are shared.
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

    /// Mean reward and mean square, where heads remember them.
    #[inline(always)]
    pub(crate) fn value_if_kept(&self, id: NodeId) -> Option<(f32, f32)> {
        let word = |word| f32::from_bits(self.head(id, word));
        self.keeps.squares.then(|| (word(head::VALUE), word(head::SQUARES)))
    }

    /// Sets both.
    pub(crate) fn set_value(&mut self, id: NodeId, mean: f32, square: f32) {
        *self.head_mut(id, head::VALUE) = mean.to_bits();
        *self.head_mut(id, head::SQUARES) = square.to_bits();
    }

    /// Notes that the node is in use.
    #[inline(always)]
    pub(crate) fn touch(&mut self, id: NodeId) {
        let now = self.made;
        *self.head_mut(id, head::STAMP) = now;
    }

    /// Words of the children in one array and, from the same place on, [`LANES`] more than there are children.
    #[inline(always)]
    fn padded(&self, id: NodeId, len: usize, array: usize) -> &[u32] {
        let from = self.array(id, len, array);
        &self.words[from..from + len + LANES]
    }

    /// Visits of the children, padded; the top bit marks closed ones.
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

    /// Bits of the mean squares of the children's rewards, padded, where kept.
    pub(crate) fn squares(&self, id: NodeId, len: usize) -> &[u32] {
        &self.extras[SQUARES][id.0 as usize..id.0 as usize + len + LANES]
    }

    /// Bits of the children's priors, padded, where kept.
    pub(crate) fn priors(&self, id: NodeId, len: usize) -> &[u32] {
        &self.extras[PRIORS][id.0 as usize..id.0 as usize + len + LANES]
    }

    /// What the config makes a node keep.
    #[inline(always)]
    pub(crate) fn keeps(&self) -> Keeps {
        self.keeps
    }

    /// Visits, mean and mean square of one child.
    #[inline(always)]
    pub(crate) fn tally(&self, edge: Edge) -> Tally {
        let at = self.at(edge, 0);
        let len = edge.len as usize;
        let square = if self.keeps.squares { self.extras[SQUARES][edge.slot()] } else { 0 };
        Tally {
            visits: self.words[at] & !CLOSED,
            mean: f32::from_bits(self.words[at + layout::MEANS * len]),
            square: f32::from_bits(square),
        }
    }

    /// Sets visits, mean and mean square of one child; what is closed stays closed.
    #[inline(always)]
    pub(crate) fn set_tally(&mut self, edge: Edge, tally: Tally) {
        let at = self.at(edge, 0);
        let len = edge.len as usize;
        self.words[at] = self.words[at] & CLOSED | tally.visits;
        self.words[at + layout::MEANS * len] = tally.mean.to_bits();
        if self.keeps.squares {
            self.extras[SQUARES][edge.slot()] = tally.square.to_bits();
        }
    }

    /// Whether the edge need not be searched any more.
    #[inline(always)]
    pub(crate) fn is_closed(&self, edge: Edge) -> bool {
        self.words[self.at(edge, layout::VISITS)] & CLOSED != 0
    }

    /// Marks an edge as one that need not be searched any more.
    #[inline(always)]
    pub(crate) fn close(&mut self, edge: Edge) {
        let at = self.at(edge, layout::VISITS);
        self.words[at] |= CLOSED;
    }

    /// Takes the mark away again.
    pub(crate) fn open(&mut self, edge: Edge) {
        let at = self.at(edge, layout::VISITS);
        self.words[at] &= !CLOSED;
    }

    /// Proven bounds of the margin still to go before the edge's move, if it is played.
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

    /// The move of an edge.
    #[inline(always)]
    pub(crate) fn mv(&self, edge: Edge) -> M {
        self.moves[edge.slot()]
    }

    /// The moves of all edges.
    #[inline(always)]
    pub(crate) fn moves(&self, id: NodeId) -> &[M] {
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
    pub(crate) fn edges(&self, node: NodeId) -> impl DoubleEndedIterator<Item = Edge> + use<M> {
        let len = self.len(node) as u32;
        (0..len).map(move |index| Edge { node, len, index })
    }

    /// What an edge leads to.
    #[inline(always)]
    pub(crate) fn below(&self, edge: Edge) -> Below {
        match self.words[self.at(edge, layout::CHILDREN)] {
            0 => Below::Leaf,
            WAITING => Below::Waiting,
            handle => Below::Node(NodeId(handle)),
        }
    }

    /// Says what an edge leads to.
    #[inline(always)]
    pub(crate) fn set_below(&mut self, edge: Edge, below: Below) {
        let at = self.at(edge, layout::CHILDREN);
        self.words[at] = match below {
            Below::Leaf => 0,
            Below::Waiting => WAITING,
            Below::Node(id) => id.0,
        };
    }

    /// Visits of a node: its own evaluations and all that went through its edges.
    pub(crate) fn total_visits(&self, id: NodeId) -> u64 {
        let through: u64 = self.edges(id).map(|edge| u64::from(self.tally(edge).visits)).sum();
        u64::from(self.own(id).visits) + through
    }

    /// Slots in use, the empty slot 0 included.
    #[inline(always)]
    pub(super) fn slots(&self) -> usize {
        (self.words.len() - LANES) / SLOT
    }

    /// Slots of what begins at `slot`, and whether that is a node.
    #[inline(always)]
    pub(super) fn block(&self, slot: usize) -> (usize, bool) {
        let word = self.words[slot * SLOT + head::CHILDREN];
        if word & FREE != 0 { ((word & !FREE) as usize, false) } else { (slots_of((word & LEN) as usize), true) }
    }

    /// Marks slots as free.
    pub(super) fn free(&mut self, slot: usize, slots: usize) {
        self.words[slot * SLOT + head::CHILDREN] = FREE | slots as u32;
    }

    /// Takes a node out: its slots are free, and no handle leads to it any more.
    pub(super) fn remove(&mut self, id: NodeId) {
        let key = self.key(id);
        if self.keeps.shared {
            self.table.remove(key as u32, id.0);
        }
        self.held -= self.children(id).1 as u64;
        *self.head_mut(id, head::KEY_LOW) = 0;
        *self.head_mut(id, head::KEY_HIGH) = 0;
    }

    /// When the node was last in use, in nodes made since.
    pub(super) fn age(&self, id: NodeId) -> u32 {
        self.made.wrapping_sub(self.head(id, head::STAMP))
    }
}
