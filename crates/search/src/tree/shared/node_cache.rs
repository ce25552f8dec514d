//! A thread's own copies of the nodes it works on ("hot" ones).
//!
//! The copies lie in a graph of the thread's own, so that all phases of a simulation find them where they look. Nodes that
//! have been passed often are copied to stay: what is learnt there is passed on, and what others learnt taken over, once
//! in so many visits. All others are copied for one simulation, and what changes is passed on at once. So threads hardly
//! ever write to the same words, which is what costs most: a word takes some 70 to 350 ns to another core and back.

use std::ops::Range;

use banyan_core::Side;
use banyan_core::cpu::LANES;

use super::graph::{Chunk, SharedGraph};
use crate::options::{Config, UnvisitedValue};
use crate::tree::graph::{Graph, NodeId};
use crate::tree::layout::{self, SLOT, head, slots_of};

/// Words of a head of what was: the handle of the node of which this is a copy, and visits until the next merger; 0 for a
/// copy that does not stay. What they are in a node itself never changes, or belongs to one side only.
pub(crate) const HOME: usize = head::KEY_LOW;
pub(crate) const COUNTDOWN: usize = head::STAMP;
/// Likewise: whose move it is, and whether the bounds of the edges are copied too.
const MOVER: usize = head::KEY_HIGH;
const BOUNDED: usize = head::OWN_VISITS;

/// Slots for copies that do not stay: of a single path, and of each path more that may wait. Guesses: in the games at hand a
/// path has some 300 at most. What finds no place is copied to stay.
const TEMPORARY_SLOTS: usize = 2048;
const TEMPORARY_SLOTS_PER_PENDING: usize = 512;

/// Where copies lie, and what they were when they were last alike here and there.
pub(crate) struct NodeCache {
    /// What the words of the thread's graph were, at the same places: all of copies that stay, of others what is written to.
    pub(crate) baseline: Vec<u32>,
    /// Slots of copies that do not stay.
    temporary: Range<usize>,
    /// The first of them that is free.
    next: usize,
    /// Slots in all, beyond which copies that stay are given up.
    most: usize,
    /// Whether handles are looked at that no descent goes along.
    needs_handles: bool,
    pub(crate) chunk: Chunk,
}

impl NodeCache {
    /// Room for copies as the config allows, at least as many as any search needs.
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

    /// Forgets all copies.
    pub(crate) fn clear(&mut self, graph: &mut Graph) {
        graph.clear();
        let slots = self.temporary.end;
        graph.words.resize(slots * SLOT + LANES, 0);
        graph.moves.resize(slots, 0);
        self.baseline.clear();
        self.baseline.resize(graph.words.len(), 0);
        self.next = self.temporary.start;
    }

    /// The first copy that stays.
    pub(crate) fn first(&self) -> NodeId {
        NodeId(self.temporary.end as u32)
    }

    /// Whether there is no place for more copies that stay.
    pub(crate) fn is_full(&self, graph: &Graph) -> bool {
        graph.slots() > self.most
    }

    /// Bytes taken.
    pub(crate) fn bytes(&self) -> usize {
        self.baseline.capacity() * 4
    }

    /// A new descent begins, and no path is kept.
    #[inline(always)]
    pub(crate) fn let_pass(&mut self) {
        self.next = self.temporary.start;
    }

    /// The node of which this is a copy.
    #[inline(always)]
    pub(crate) fn home(&self, copy: NodeId) -> u32 {
        self.baseline[copy.0 as usize * SLOT + HOME]
    }

    /// Whose move it is.
    pub(crate) fn mover(&self, copy: NodeId) -> Side {
        if self.baseline[copy.0 as usize * SLOT + MOVER] == 0 { Side::First } else { Side::Second }
    }

    /// Says whose move it is.
    #[inline(always)]
    pub(crate) fn note_mover(&mut self, copy: NodeId, mover: Side) {
        self.baseline[copy.0 as usize * SLOT + MOVER] = u32::from(mover == Side::Second);
    }

    /// Whether the bounds of the edges are copied too.
    #[inline(always)]
    pub(crate) fn is_bounded(&self, copy: NodeId) -> bool {
        self.baseline[copy.0 as usize * SLOT + BOUNDED] != 0
    }

    /// Copies the bounds of the edges too.
    #[cold]
    pub(crate) fn copy_bounds(&mut self, shared: &SharedGraph, graph: &mut Graph, copy: NodeId) {
        let len = graph.len(copy);
        let from = graph.array(copy, len, layout::BOUNDS);
        shared.copy_array(self.home(copy), layout::BOUNDS, &mut graph.words[from..from + len]);
        self.baseline[from..from + len].copy_from_slice(&graph.words[from..from + len]);
        self.baseline[copy.0 as usize * SLOT + BOUNDED] = 1;
    }

    /// Whether the copy is one that stays.
    #[inline(always)]
    pub(crate) fn permanent(&self, copy: NodeId) -> bool {
        copy.0 as usize >= self.temporary.end
    }

    /// Place for a copy of a node with so many children, one that stays if it is to or must.
    #[inline(always)]
    pub(crate) fn place(&mut self, graph: &mut Graph, len: usize, home: u32, permanent: bool) -> NodeId {
        let slots = slots_of(len);
        let copy = if !permanent && self.next + slots <= self.temporary.end {
            self.next += slots;
            NodeId((self.next - slots) as u32)
        } else {
            self.permanent_place(graph, slots)
        };
        let baseline = &mut self.baseline[copy.0 as usize * SLOT..];
        baseline[HOME] = home;
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

    /// Takes back the place given last.
    pub(crate) fn unplace(&mut self, graph: &mut Graph, copy: NodeId) {
        let slot = copy.0 as usize;
        if self.permanent(copy) {
            graph.trim(slot);
            self.baseline.truncate(graph.words.len());
        } else {
            self.next = slot;
        }
    }

    /// Copies the node `home`.
    #[inline(always)]
    pub(crate) fn copy(&mut self, shared: &SharedGraph, graph: &mut Graph, home: u32, permanent: bool) -> NodeId {
        let len = shared.len(home);
        let copy = self.place(graph, len, home, permanent);
        self.refresh(shared, graph, copy, len);
        copy
    }

    /// Copies the words of its node anew: nothing may be lost that is not passed on yet.
    #[inline(always)]
    pub(crate) fn refresh(&mut self, shared: &SharedGraph, graph: &mut Graph, copy: NodeId, len: usize) {
        let slot = copy.0 as usize;
        let permanent = self.permanent(copy);
        // Of what passes, bounds are seldom asked for, and handles are looked up one by one.
        let all = slots_of(len) * SLOT;
        let n = if permanent || self.needs_handles { all } else { all - 2 * len };
        let words = &mut graph.words[slot * SLOT..slot * SLOT + n];
        shared.copy(self.home(copy), words, &mut graph.moves[slot..slot + len]);
        self.baseline[slot * SLOT + BOUNDED] = u32::from(permanent || self.needs_handles);
        if permanent {
            let baseline = &mut self.baseline[slot * SLOT..slot * SLOT + words.len()];
            let own = [HOME, COUNTDOWN, MOVER, BOUNDED].map(|word| (word, baseline[word]));
            baseline.copy_from_slice(words);
            own.iter().for_each(|&(word, value)| baseline[word] = value);
        }
    }

    /// All copies that stay.
    pub(crate) fn permanent_copies(&self, graph: &Graph) -> Vec<NodeId> {
        let (mut slot, mut all) = (self.temporary.end, Vec::new());
        while slot < graph.slots() {
            all.push(NodeId(slot as u32));
            slot += slots_of(graph.len(NodeId(slot as u32)));
        }
        all
    }
}
