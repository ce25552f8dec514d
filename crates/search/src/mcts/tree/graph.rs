//! The nodes of a search: one arena of words, laid out as in `layout`, and accessed through `node` and `edge`.
//!
//! A scan over children reads neighbouring words, eight at a time, and nothing is allocated per node. Moves are in a
//! separate list, from the index of the node's first slot on. Handles may outlive their node: once nodes are recycled,
//! the key is compared whenever a handle is followed.

use banyan_bits::cpu::LANES;

use super::bounds::Packed;
use super::columns::Keeps;
use super::layout::{self, HEAD, SLOT, head};
use super::node_table::NodeTable;
use super::recycler::Recycler;

/// Value of a handle that marks a pending leaf.
pub(crate) const PENDING: u32 = u32::MAX;
/// Memory of a slot: its words, and the code of a move.
pub(crate) const BYTES_OF_SLOT: usize = SLOT * size_of::<u32>() + size_of::<u16>();

/// Handle of a node: the index of its first slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NodeId(pub(crate) u32);

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
    /// Index of the child, in the order in which they are tried.
    pub(crate) index: u32,
}

impl Edge {
    /// The slot of its move.
    #[inline(always)]
    pub(crate) fn slot(self) -> usize {
        self.node.0 as usize + self.index as usize
    }
}

/// The target of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Below {
    /// A position without a node.
    Leaf,
    /// A pending leaf.
    Pending,
    /// A node, which may have been recycled.
    Node(NodeId),
}

/// Visits, mean reward and mean square reward from here on, seen by the first side. Squares are 0 if they are not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct EdgeStats {
    pub(crate) visits: u32,
    pub(crate) mean: f32,
    pub(crate) square: f32,
}

impl EdgeStats {
    /// Adds a reward.
    #[inline(always)]
    pub(crate) fn with(self, reward: f32) -> EdgeStats {
        let visits = self.visits + 1;
        EdgeStats {
            visits,
            mean: self.mean + (reward - self.mean) / visits as f32,
            square: self.square + (reward * reward - self.square) / visits as f32,
        }
    }

    /// Combines two sets of rewards.
    pub(crate) fn and(self, other: EdgeStats) -> EdgeStats {
        if other.visits == 0 {
            return self;
        }
        let visits = self.visits + other.visits;
        let share = f64::from(other.visits) / f64::from(visits);
        let mixed = |a: f32, b: f32| (f64::from(a) + (f64::from(b) - f64::from(a)) * share) as f32;
        EdgeStats { visits, mean: mixed(self.mean, other.mean), square: mixed(self.square, other.square) }
    }

    /// The rewards without the points of a move.
    #[inline(always)]
    pub(crate) fn before(self, gain: i16) -> EdgeStats {
        self.after(-gain)
    }

    /// The rewards with the points of a move.
    #[inline(always)]
    pub(crate) fn after(self, gain: i16) -> EdgeStats {
        let gain = f32::from(gain);
        let square = self.square + 2.0 * gain * self.mean + gain * gain;
        EdgeStats { visits: self.visits, mean: self.mean + gain, square }
    }
}

/// A node to be made.
pub(crate) struct NewNode<'a> {
    pub(crate) key: u64,
    /// Codes of its moves, see [`banyan_core::MoveCode`].
    pub(crate) moves: &'a [u16],
    /// One probability for each move; empty if priors are not kept or not known yet.
    pub(crate) priors: &'a [f32],
    /// Evaluations of the position made before.
    pub(crate) own: EdgeStats,
    /// Proven bounds of the position itself, and of each of its children.
    pub(crate) bounds: Packed,
    pub(crate) child_bounds: Packed,
}

/// The arena of nodes, and the table that finds them.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) keeps: Keeps,
    pub(crate) words: Vec<u32>,
    pub(crate) moves: Vec<u16>,
    /// Slots for which words and moves are reserved.
    pub(super) reserved: usize,
    pub(crate) table: NodeTable,
    pub(crate) recycler: Recycler,
    /// Nodes made since the beginning, modulo 2^32.
    pub(crate) made: u32,
    /// Positions with statistics, except the root: tried edges of nodes that have not been recycled.
    pub(crate) held: u64,
}

impl Graph {
    /// An empty graph that never takes more than `memory_mib`.
    pub(crate) fn new(memory_mib: u32, keeps: Keeps) -> Graph {
        // Slot 0 is never a node: handle 0 means no child.
        Graph {
            keeps,
            words: vec![0; SLOT + LANES],
            moves: Vec::new(),
            reserved: 0,
            table: NodeTable::new(),
            recycler: Recycler::new(memory_mib),
            made: 0,
            held: 0,
        }
    }

    /// Removes every node and keeps the memory.
    pub(crate) fn clear(&mut self) {
        // After a panic the words may still be lent.
        self.words.clear();
        self.words.resize(SLOT + LANES, 0);
        self.moves.clear();
        self.table.clear();
        self.recycler.clear();
        (self.made, self.held) = (0, 0);
    }

    /// Memory taken by nodes and the table that finds them, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let table = if self.keeps.shared { self.table.bytes() } else { 0 };
        self.words.len() * 4 + self.moves.len() * 2 + table
    }

    /// Positions with statistics.
    pub(crate) fn held(&self) -> u64 {
        self.held + 1
    }

    /// Whether a handle may refer to a recycled node.
    #[inline(always)]
    pub(crate) fn handles_age(&self) -> bool {
        self.recycler.is_full()
    }

    /// Writes a node into slots already allocated.
    #[inline(always)]
    pub(crate) fn write(&mut self, id: NodeId, new: &NewNode<'_>) {
        let len = new.moves.len();
        let (base, columns) = (self.base(id), self.keeps.columns);
        self.words[base..base + columns.slots_of(len) * SLOT].fill(0);
        self.moves[id.0 as usize..id.0 as usize + len].copy_from_slice(new.moves);
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
        for (array, initial) in columns.initial_numbers() {
            let at = HEAD + array * len;
            words[at..at + len].fill(initial.to_bits());
        }
        if !new.priors.is_empty() {
            self.set_priors(id, new.priors);
        }
    }

    /// The node with this key, where nodes are shared.
    #[inline(always)]
    pub(crate) fn find(&self, key: u64) -> Option<NodeId> {
        self.table.find(key as u32, |handle| self.key(NodeId(handle)) == key).map(NodeId)
    }

    #[inline(always)]
    pub(crate) fn base(&self, id: NodeId) -> usize {
        id.0 as usize * SLOT
    }

    #[inline(always)]
    pub(crate) fn head(&self, id: NodeId, word: usize) -> u32 {
        self.words[self.base(id) + word]
    }

    #[inline(always)]
    pub(crate) fn head_mut(&mut self, id: NodeId, word: usize) -> &mut u32 {
        let at = self.base(id) + word;
        &mut self.words[at]
    }

    /// Index of the first word of an array.
    #[inline(always)]
    pub(crate) fn array(&self, id: NodeId, len: usize, array: usize) -> usize {
        self.base(id) + HEAD + array * len
    }

    #[inline(always)]
    pub(crate) fn at(&self, edge: Edge, array: usize) -> usize {
        debug_assert!(edge.index < edge.len, "no child has this number: {edge:?}");
        self.array(edge.node, edge.len as usize, array) + edge.index as usize
    }
}
