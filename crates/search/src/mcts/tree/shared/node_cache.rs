//! The node cache: thread-local copies of the nodes a thread visits.
//!
//! The copies are in a separate graph of the thread, so that all phases of a simulation find them there. Nodes with
//! many visits get a permanent copy, which is merged with the shared node at intervals of visits. All others get a
//! temporary copy for one simulation, whose changes are published at once. So threads rarely write to the same words,
//! which would be the largest cost: a word takes some 70 to 350 ns to another core and back.

use std::ops::Range;

use banyan_bits::cpu::LANES;
use banyan_core::Side;

use super::graph::{Chunk, SharedGraph};
use crate::mcts::tree::graph::{Graph, NodeId};
use crate::mcts::tree::layout::{self, FIXED, HEAD, SLOT, head};
use crate::options::{Config, UnvisitedValue};

/// Words of the head in the baseline: the handle of the node of which this is a copy, and visits until the next merge;
/// 0 for a temporary copy. The same words of a node never change, or belong to one side only.
pub(crate) const ORIGIN: usize = head::KEY_LOW;
pub(crate) const COUNTDOWN: usize = head::STAMP;
/// Likewise: the side to move, and whether the bounds of the edges are copied.
const MOVER: usize = head::KEY_HIGH;
const BOUNDED: usize = head::OWN_VISITS;

/// Slots for temporary copies: of a single path, and of each further path that may be pending. Guesses: in the games at
/// hand a path has some 300 at most. What does not fit gets a permanent copy.
const TEMPORARY_SLOTS: usize = 2048;
const TEMPORARY_SLOTS_PER_PENDING: usize = 512;

/// The thread-local copies, and their state at the last merge.
pub(crate) struct NodeCache {
    /// The words of the thread's graph at the last merge, at the same indices: all words of permanent copies, of
    /// temporary ones those that are written.
    pub(crate) baseline: Vec<u32>,
    /// Slots of temporary copies.
    temporary: Range<usize>,
    /// The first free one of them.
    next: usize,
    /// Slots in all, beyond which permanent copies are dropped.
    most: usize,
    /// Whether handles are read that no descent follows.
    pub(super) needs_handles: bool,
    pub(crate) chunk: Chunk,
}

impl NodeCache {
    /// A cache of the size that the settings allow, at least as large as any search needs.
    pub(crate) fn new(config: &Config) -> NodeCache {
        let bytes = (config.node_cache_mib() as usize) << 20;
        let temporary = 1..1 + TEMPORARY_SLOTS + TEMPORARY_SLOTS_PER_PENDING * (config.batch - 1) as usize;
        let needs_handles = config.unvisited == UnvisitedValue::Blend || config.horizon > 0;
        let most = (bytes / (3 * 4 * SLOT)).max(2 * temporary.end);
        NodeCache {
            baseline: Vec::new(),
            next: temporary.start,
            temporary,
            most,
            needs_handles,
            chunk: Chunk::default(),
        }
    }

    /// Removes all copies.
    pub(crate) fn clear(&mut self, graph: &mut Graph) {
        graph.clear();
        let slots = self.temporary.end;
        graph.words.resize(slots * SLOT + LANES, 0);
        graph.moves.resize(slots, 0);
        self.baseline.clear();
        self.baseline.resize(graph.words.len(), 0);
        self.next = self.temporary.start;
    }

    /// The first permanent copy.
    pub(crate) fn first(&self) -> NodeId {
        NodeId(self.temporary.end as u32)
    }

    /// Whether there is no space for more permanent copies.
    pub(crate) fn is_full(&self, graph: &Graph) -> bool {
        graph.slots() > self.most
    }

    /// Bytes taken.
    pub(crate) fn bytes(&self) -> usize {
        self.baseline.capacity() * 4
    }

    /// Frees all temporary copies, at the start of a descent without pending leaves.
    #[inline(always)]
    pub(crate) fn drop_temporary(&mut self) {
        self.next = self.temporary.start;
    }

    /// The node of which this is a copy.
    #[inline(always)]
    pub(crate) fn origin(&self, copy: NodeId) -> u32 {
        self.baseline[copy.0 as usize * SLOT + ORIGIN]
    }

    /// The side to move.
    pub(crate) fn mover(&self, copy: NodeId) -> Side {
        if self.baseline[copy.0 as usize * SLOT + MOVER] == 0 { Side::First } else { Side::Second }
    }

    /// Sets the side to move.
    #[inline(always)]
    pub(crate) fn note_mover(&mut self, copy: NodeId, mover: Side) {
        self.baseline[copy.0 as usize * SLOT + MOVER] = u32::from(mover == Side::Second);
    }

    /// Whether the bounds of the edges are copied.
    #[inline(always)]
    pub(crate) fn is_bounded(&self, copy: NodeId) -> bool {
        self.baseline[copy.0 as usize * SLOT + BOUNDED] != 0
    }

    /// Copies the bounds of the edges.
    #[cold]
    pub(crate) fn copy_bounds(&mut self, shared: &SharedGraph, graph: &mut Graph, copy: NodeId) {
        let len = graph.len(copy);
        let from = graph.array(copy, len, layout::BOUNDS);
        shared.copy_arrays(self.origin(copy), len, layout::BOUNDS, &mut graph.words[from..from + len]);
        self.baseline[from..from + len].copy_from_slice(&graph.words[from..from + len]);
        self.baseline[copy.0 as usize * SLOT + BOUNDED] = 1;
    }

    /// Whether the copy is permanent.
    #[inline(always)]
    pub(crate) fn is_permanent(&self, copy: NodeId) -> bool {
        copy.0 as usize >= self.temporary.end
    }

    /// Allocates a copy of a node with `len` children: a permanent one if wanted or if no temporary slots are left.
    #[inline(always)]
    pub(crate) fn place(&mut self, graph: &mut Graph, len: usize, origin: u32, permanent: bool) -> NodeId {
        let slots = graph.keeps().columns.slots_of(len);
        let copy = if !permanent && self.next + slots <= self.temporary.end {
            self.next += slots;
            NodeId((self.next - slots) as u32)
        } else {
            self.permanent_place(graph, slots)
        };
        let baseline = &mut self.baseline[copy.0 as usize * SLOT..];
        baseline[ORIGIN] = origin;
        baseline[COUNTDOWN] = 0;
        baseline[BOUNDED] = 1;
        copy
    }

    #[cold]
    fn permanent_place(&mut self, graph: &mut Graph, slots: usize) -> NodeId {
        let first = graph.slots();
        graph.words.resize((first + slots) * SLOT + LANES, 0);
        graph.moves.resize(first + slots, 0);
        self.baseline.resize(graph.words.len(), 0);
        NodeId(first as u32)
    }

    /// Frees the place allocated last.
    pub(crate) fn undo_place(&mut self, graph: &mut Graph, copy: NodeId) {
        let slot = copy.0 as usize;
        if self.is_permanent(copy) {
            graph.trim(slot);
            self.baseline.truncate(graph.words.len());
        } else {
            self.next = slot;
        }
    }

    /// Copies the node `home`.
    #[inline(always)]
    pub(crate) fn copy(&mut self, shared: &SharedGraph, graph: &mut Graph, origin: u32, permanent: bool) -> NodeId {
        let len = shared.len(origin);
        let copy = self.place(graph, len, origin, permanent);
        self.refresh(shared, graph, copy, len);
        copy
    }

    /// Copies the words of its node again. All changes must have been published.
    #[inline(always)]
    pub(crate) fn refresh(&mut self, shared: &SharedGraph, graph: &mut Graph, copy: NodeId, len: usize) {
        let slot = copy.0 as usize;
        let permanent = self.is_permanent(copy);
        // Temporary copies rarely need bounds, and look up handles one by one.
        let columns = graph.keeps().columns;
        let all = columns.slots_of(len) * SLOT;
        let n = if permanent || self.needs_handles { all } else { HEAD + layout::CHILDREN * len };
        let words = &mut graph.words[slot * SLOT..slot * SLOT + n];
        shared.copy(self.origin(copy), words, &mut graph.moves[slot..slot + len]);
        self.baseline[slot * SLOT + BOUNDED] = u32::from(permanent || self.needs_handles);
        if permanent {
            self.note_all(graph, copy, len);
        } else if columns.len() > 0 {
            if !self.needs_handles {
                let from = graph.array(copy, len, FIXED);
                let words = &mut graph.words[from..from + columns.len() * len];
                shared.copy_arrays(self.origin(copy), len, FIXED, words);
            }
            if columns.change() {
                self.note_columns(graph, copy, len);
            }
        }
    }

    /// Takes all words of a permanent copy as those of its node.
    fn note_all(&mut self, graph: &Graph, copy: NodeId, len: usize) {
        let slot = copy.0 as usize;
        let words = slot * SLOT..(slot + graph.keeps().columns.slots_of(len)) * SLOT;
        let baseline = &mut self.baseline[words.clone()];
        let own = [ORIGIN, COUNTDOWN, MOVER, BOUNDED].map(|word| (word, baseline[word]));
        baseline.copy_from_slice(&graph.words[words]);
        own.iter().for_each(|&(word, value)| baseline[word] = value);
    }

    /// Takes the words of a copy as those of its node, which has just been written.
    #[inline(always)]
    pub(crate) fn note_published(&mut self, graph: &Graph, copy: NodeId, len: usize) {
        if self.is_permanent(copy) {
            self.note_all(graph, copy, len);
        } else if graph.keeps().columns.change() {
            self.note_columns(graph, copy, len);
        }
    }

    /// Takes the columns of a copy as those of its node.
    fn note_columns(&mut self, graph: &Graph, copy: NodeId, len: usize) {
        let from = graph.array(copy, len, FIXED);
        let columns = from..from + graph.keeps().columns.len() * len;
        self.baseline[columns.clone()].copy_from_slice(&graph.words[columns]);
    }

    /// All permanent copies.
    pub(crate) fn permanent_copies(&self, graph: &Graph) -> Vec<NodeId> {
        let (mut slot, mut all) = (self.temporary.end, Vec::new());
        while slot < graph.slots() {
            all.push(NodeId(slot as u32));
            slot += graph.keeps().columns.slots_of(graph.len(NodeId(slot as u32)));
        }
        all
    }
}
