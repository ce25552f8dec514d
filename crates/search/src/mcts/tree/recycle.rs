//! New nodes and the memory cap: once it is reached, new nodes replace old and little-visited ones.
//!
//! A clock hand moves over the arena. Adjacent free slots and evictable nodes form the hole from which new nodes are
//! cut; a node that is kept closes the hole, and the next hole begins behind it. So there are no lists of free blocks,
//! and a free run that was too short joins its neighbours in the next round.

use std::collections::TryReserveError;
use std::ops::Range;

use banyan_bits::cpu::LANES;

use super::graph::{BYTES_OF_SLOT, Graph, NewNode, NodeId};
use super::layout::{FREE, HEAD_SLOTS, LEN, MOST_CHILDREN, SLOT, head};
use super::node_table::NodeTable;
use super::recycler::Recycler;

/// Nodes that one allocation scans before its criteria become weaker (twice), and before it gives up: well under a
/// millisecond and well under ten. Guesses, untuned, as are the fractions of a round in `is_evictable`.
const STRICT_SCANS: usize = 1024;
const MODERATE_SCANS: usize = 8192;
const MAX_SCANS: usize = 65_536;
/// Nodes with more visits than this are kept longer. Guess, untuned.
const FEW_VISITS: u64 = 32;

/// Whether all memory that the cap allows is reserved at once, when a graph is no longer small. In WebAssembly memory only grows, and lists
/// that grow in steps leave holes that nothing else fits into: a module took 2.1 times the memory of its nodes. Reserved memory costs nothing
/// before it is written.
const AT_ONCE: bool = cfg!(target_family = "wasm");
/// Slots of a small graph. Guess, untuned.
const SMALL: usize = 1 << 16;
/// The part of the memory cap that is reserved for the table. Guess, untuned.
const TABLE_PART: usize = 8;

/// Nodes from which on their mean width is used.
const FEWEST_NODES: u32 = 64;
/// Most slots of a shared graph: threads mark handles of their local copies with the top bit.
const MOST_LENT: usize = 1 << 31;

impl Graph {
    /// Starts a search: nodes it does not visit count as old.
    pub(crate) fn begin_search(&mut self) {
        self.recycler.search = self.made;
    }

    /// Makes a node with no child tried; `None` if every node is in use. `pinned` nodes are not recycled.
    #[inline]
    pub(crate) fn add(&mut self, new: &NewNode<'_>, pinned: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let len = new.moves.len();
        assert!((1..MOST_CHILDREN).contains(&len), "a node with {len} children");
        let slots = self.keeps.columns.slots_of(len);
        let id = self.allocate(slots, &pinned)?;
        if self.moves.len() < id.0 as usize + slots {
            self.moves.resize(id.0 as usize + slots, 0);
        }
        self.made = self.made.wrapping_add(1);
        self.write(id, new);
        let keeps = self.keeps;
        if keeps.shared {
            let may_grow = self.bytes() + 64 < self.recycler.cap_bytes;
            let Graph { table, words, .. } = self;
            table.insert(new.key as u32, id.0, may_grow, |old| words[old as usize * SLOT + head::VISITS]);
        }
        Some(id)
    }

    /// Allocates `slots` slots.
    #[inline(always)]
    fn allocate(&mut self, slots: usize, pinned: &impl Fn(NodeId) -> bool) -> Option<NodeId> {
        if !self.recycler.full {
            let first = self.slots();
            let end = first + slots;
            if end <= self.reserved || self.grow(end) {
                self.words.resize(end * SLOT + LANES, 0);
                return Some(NodeId(first as u32));
            }
        }
        self.recycle(slots, pinned)
    }

    /// Reserves memory for `end` slots, in steps of an eighth to leave little unused; `false` if the cap forbids it.
    #[cold]
    fn grow(&mut self, end: usize) -> bool {
        let most = self.most_slots();
        if end > most.min(u32::MAX as usize - 1) && self.slots() > 1 {
            self.recycler.full = true;
            self.recycler.nodes = self.made;
            return false;
        }
        let slots = (end + end / 8 + 512).min(most.max(end));
        if AT_ONCE && slots > SMALL {
            // Where that much is refused, it grows in steps.
            let _ =
                self.reserve(most.max(slots)).and_then(|()| self.table.reserve(self.recycler.cap_bytes / TABLE_PART));
        }
        self.words.reserve_exact(slots * SLOT + LANES - self.words.len());
        self.moves.reserve_exact(slots - self.moves.len());
        self.reserved = slots;
        true
    }

    /// Reserves memory for `slots` slots.
    fn reserve(&mut self, slots: usize) -> Result<(), TryReserveError> {
        self.words.try_reserve_exact(slots * SLOT + LANES - self.words.len())?;
        self.moves.try_reserve_exact(slots - self.moves.len())
    }
}

impl Graph {
    /// Slots that the cap allows in addition to the table.
    fn most_slots(&self) -> usize {
        let table = if self.keeps.shared { self.table.bytes() } else { 0 };
        self.recycler.cap_bytes.saturating_sub(table + table / 4 + 4096) / BYTES_OF_SLOT
    }

    /// Chunks of free slots for new nodes while the graph is shared: some `slots` in total beyond the end, in chunks of
    /// `piece`; none if the cap is reached. Memory is reserved but not written.
    pub(crate) fn new_chunks(&mut self, slots: usize, piece: usize) -> Vec<Range<u32>> {
        let first = self.slots();
        let end = (first + slots).min(self.most_slots().max(first + piece)).min(MOST_LENT);
        if self.recycler.full || !self.grow(end) {
            return Vec::new();
        }
        (first..end).step_by(piece).map(|from| from as u32..(from + piece).min(end) as u32).collect()
    }

    /// Chunks made of recycled nodes.
    pub(crate) fn recycled_chunks(
        &mut self,
        slots: usize,
        piece: usize,
        pinned: &impl Fn(NodeId) -> bool,
    ) -> Vec<Range<u32>> {
        let mut chunks: Vec<Range<u32>> = Vec::new();
        while chunks.len() * piece < slots {
            let is_chunk = |id: NodeId| chunks.iter().any(|chunk| chunk.start == id.0);
            let Some(NodeId(from)) = self.recycle(piece, &|id| pinned(id) || is_chunk(id)) else { break };
            // The hand may pass it again.
            self.free(from as usize, piece);
            chunks.push(from..from + piece as u32);
        }
        chunks
    }

    /// Buckets to add to the table for the nodes expected in `slots` slots, none wider than `widest`.
    pub(crate) fn buckets_to_expect(&self, slots: usize, widest: usize) -> usize {
        if !self.keeps.shared {
            return 0;
        }
        let wide = if self.made > FEWEST_NODES { self.slots() / self.made as usize } else { widest };
        let slots = slots.min(self.most_slots().saturating_sub(self.slots()));
        let nodes = (self.slots() + slots) * BYTES_OF_SLOT;
        let bytes_left = self.recycler.cap_bytes.saturating_sub(nodes + self.table.bytes() + 4096);
        self.table.buckets_for(slots / wide.max(HEAD_SLOTS + 1)).min(bytes_left / NodeTable::BYTES_OF_BUCKET)
    }

    /// Removes free slots at the end.
    pub(crate) fn trim(&mut self, slots: usize) {
        self.words.truncate(slots * SLOT + LANES);
        self.moves.truncate(slots);
    }

    /// Cuts a node from the hole, advancing the hand until the hole is wide enough.
    #[cold]
    fn recycle(&mut self, slots: usize, pinned: &impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let end = self.slots();
        let mut looked_at = 0;
        while self.recycler.hand - self.recycler.hole < slots {
            let hand = self.recycler.hand;
            if hand >= end {
                self.close_hole();
                (self.recycler.hole, self.recycler.hand) = (1, 1);
                // Each round starts with stricter criteria again.
                self.recycler.tier = self.recycler.tier.saturating_sub(1);
                continue;
            }
            looked_at += 1;
            let tier = self.recycler.tier.max(tier_after(looked_at));
            self.recycler.tier = tier;
            if looked_at > MAX_SCANS {
                self.close_hole();
                self.recycler.hole = self.recycler.hand;
                return None;
            }
            let (wide, is_node) = self.block(hand);
            let id = NodeId(hand as u32);
            let is_kept = if is_node { !self.is_evictable(id, tier, pinned) } else { pinned(id) };
            if is_kept {
                self.close_hole();
                self.recycler.hole = hand + wide;
            } else if is_node {
                self.remove(id);
            }
            self.recycler.hand = hand + wide;
        }
        let first = self.recycler.hole;
        self.recycler.hole += slots;
        self.close_hole();
        Some(NodeId(first as u32))
    }

    /// Marks the rest of the hole as free, so that the arena can be walked from front to back.
    fn close_hole(&mut self) {
        let Recycler { hole, hand, .. } = self.recycler;
        if hand > hole {
            self.free(hole, hand - hole);
        }
    }

    /// Whether a node may be recycled. Tier 0: nodes with few visits not visited for a while, nodes not visited by this
    /// search, and nodes not visited for long; tier 1: any but proven ones; tier 2: any.
    fn is_evictable(&self, id: NodeId, tier: u8, pinned: &impl Fn(NodeId) -> bool) -> bool {
        let age = self.age(id);
        let round = self.recycler.nodes.max(16);
        let before_search = age > self.made.wrapping_sub(self.recycler.search);
        // The bounds of a node with a single parent are stored at its edge too.
        let proven = self.keeps.shared && self.is_solved(id);
        let few = || self.total_visits(id) <= FEW_VISITS;
        let is_old = match tier {
            0 => !proven && (age > 2 * round || before_search && age > round / 8 || age > round / 4 && few()),
            1 => !proven && age > round / 16,
            _ => true,
        };
        is_old && !pinned(id)
    }
}

impl Graph {
    /// Slots in use, the empty slot 0 included.
    #[inline(always)]
    pub(crate) fn slots(&self) -> usize {
        (self.words.len() - LANES) / SLOT
    }

    /// The width of the block at `slot`, and whether it is a node.
    #[inline(always)]
    pub(crate) fn block(&self, slot: usize) -> (usize, bool) {
        let word = self.words[slot * SLOT + head::CHILDREN];
        if word & FREE != 0 {
            ((word & !FREE) as usize, false)
        } else {
            (self.keeps.columns.slots_of((word & LEN) as usize), true)
        }
    }

    /// Marks slots as free.
    pub(crate) fn free(&mut self, slot: usize, slots: usize) {
        self.words[slot * SLOT + head::CHILDREN] = FREE | slots as u32;
    }

    /// Removes a node: its slots become free, and the table no longer finds it.
    pub(crate) fn remove(&mut self, id: NodeId) {
        let key = self.key(id);
        if self.keeps.shared {
            self.table.remove(key as u32, id.0);
        }
        self.held -= self.children(id).1 as u64;
        *self.head_mut(id, head::KEY_LOW) = 0;
        *self.head_mut(id, head::KEY_HIGH) = 0;
    }

    /// Time since the node was last visited, in nodes made since.
    pub(crate) fn age(&self, id: NodeId) -> u32 {
        self.made.wrapping_sub(self.head(id, head::STAMP))
    }
}

/// The tier after `looked_at` scanned nodes: 0 strict, 2 any node.
fn tier_after(looked_at: usize) -> u8 {
    match looked_at {
        ..STRICT_SCANS => 0,
        STRICT_SCANS..MODERATE_SCANS => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use banyan_core::{Rng, mix};

    use super::*;
    use crate::mcts::tree::bounds::Packed;
    use crate::mcts::tree::columns::{Column, Columns, Keeps};
    use crate::mcts::tree::graph::EdgeStats;

    /// Shared nodes without columns, or with all of them.
    fn keeps(all: bool) -> Keeps {
        let config = if all { "select=ucb1-tuned" } else { "" }.parse().expect("settings");
        Keeps { shared: true, columns: Columns::of(&config, all) }
    }

    fn node(key: u64, moves: &[u16], visits: u32) -> NewNode<'_> {
        let own = EdgeStats { visits, mean: 0.25, square: 0.0 };
        let bounds = Packed::new(-1, 1);
        NewNode { key, moves, priors: &[], own, bounds, child_bounds: bounds }
    }

    /// Walks over the arena and counts its nodes.
    fn count(graph: &Graph) -> usize {
        let (mut slot, mut nodes) = (1, 0);
        while slot < graph.slots() {
            let (wide, is_node) = graph.block(slot);
            assert!(wide > 0, "a block of nothing at {slot}");
            let in_hole = slot >= graph.recycler.hole && slot < graph.recycler.hand;
            nodes += usize::from(is_node && !in_hole);
            slot += wide;
        }
        assert_eq!(slot, graph.slots());
        nodes
    }

    #[test]
    fn nodes_of_many_sizes_are_recycled_and_the_cap_holds() {
        [false, true].into_iter().for_each(check_many_sizes);
    }

    fn check_many_sizes(with_columns: bool) {
        let (mut graph, mut rng) = (Graph::new(1, keeps(with_columns)), Rng::new(1));
        let mut truth: HashMap<u64, (NodeId, usize)> = HashMap::new();
        for i in 1..60_000u64 {
            let moves: Vec<u16> = (0..1 + rng.below(30) as u16).collect();
            let key = mix(i);
            let id = graph.add(&node(key, &moves, 1), |_| false).expect("there is always something to recycle");
            truth.insert(key, (id, moves.len()));
            // New nodes begin without what was in their slots before.
            for column in [Column::Square, Column::Prior] {
                for edge in graph.edges(id) {
                    assert!(graph.number(edge, column).is_none_or(|number| number == 0.0), "{column:?} of {edge:?}");
                    graph.set_number(edge, column, 2.0);
                }
            }
            assert!(graph.bytes() <= 1 << 20, "{} bytes", graph.bytes());
        }
        assert!(graph.handles_age());
        let there = truth.iter().filter(|&(&key, &(id, len))| graph.find(key) == Some(id) && graph.len(id) == len);
        let (found, held) = (there.count(), count(&graph));
        assert!(found * 20 > held * 19, "{found} nodes are found of {held}");
        let slots_of = |len| graph.keeps().columns.slots_of(len);
        let used: usize = truth.values().map(|&(_, len)| slots_of(len)).sum::<usize>() / truth.len() * held;
        assert!(used * 4 > graph.slots() * 3, "only {used} of {} slots are in use", graph.slots());
    }

    #[test]
    fn proven_much_visited_and_pinned_nodes_are_kept() {
        let mut graph = Graph::new(1, keeps(false));
        let mut kinds: [Vec<NodeId>; 4] = Default::default();
        for i in 1..400_000u64 {
            let kind = (i % 100).min(3) as usize;
            let id = graph.add(&node(mix(i), &[0; 7], [1, 1, 1000, 1][kind]), |id| Some(&id) == kinds[0].first());
            let Some(id) = id else { continue };
            if kinds[kind].len() < 40 {
                kinds[kind].push(id);
                if kind == 1 {
                    graph.tighten(id, Packed::new(1, 1), true);
                }
            }
            // After a few rounds over the arena, count the nodes that are left.
            if i == 12_000 {
                let alive = |kind: usize, graph: &Graph| {
                    let key = |n: usize| mix(if kind == 3 { 3 + n as u64 } else { kind as u64 + 100 * n as u64 });
                    kinds[kind].iter().enumerate().filter(|&(n, &id)| graph.key(id) == key(n)).count()
                };
                let (proven, visited, few) = (alive(1, &graph), alive(2, &graph), alive(3, &graph));
                assert!(
                    proven == 40 && visited > 30 && few < 10,
                    "{proven} proven, {visited} visited, {few} with few visits"
                );
            }
        }
        let first = kinds[0][0];
        assert_eq!(graph.key(first), mix(100), "a pinned node was recycled");
    }
}
