//! The graph while several threads work on it without a lock.
//!
//! It is the arena of `graph` and the table of `node_table`, whose words are atomics meanwhile. New nodes are cut from
//! chunks that were allocated before, by one thread alone; nothing grows and nothing is recycled until all threads have
//! stopped. So a handle once read can be followed until then.

use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use banyan_bits::cpu::LANES;

use super::copy;
use super::handle_table::{HandleTable, Insertion};
use super::sync::{AtomicU32, AtomicU64};
use super::words::{Place, Words};
use crate::mcts::tree::columns::Columns;
use crate::mcts::tree::edge::prefetch_node;
use crate::mcts::tree::graph::{Graph, NodeId};
use crate::mcts::tree::layout::{ENTRIES, FREE, HEAD, LEN, SLOT, head};

/// The code of a move, which is written once, before any handle to its node is published.
#[repr(transparent)]
#[derive(Debug)]
struct Written(UnsafeCell<MaybeUninit<u16>>);

// SAFETY: a code is written by the one thread that owns the chunk its node is cut from, and read by others only after
// they have read a handle of that node, which is published after the write (`Words::link`, `HandleTable::file`), or, by
// an old handle, its key, which is too (`Words::set_key`).
unsafe impl Sync for Written {}

/// The graph while several threads work on it without a lock.
#[derive(Debug)]
pub(crate) struct SharedGraph {
    pub(crate) words: Words,
    columns: Columns,
    moves: Vec<Written>,
    table: HandleTable,
    /// Slots before the chunks were allocated.
    slots: usize,
    /// Chunks of slots for new nodes, and the index of the next one to take.
    chunks: Vec<Range<u32>>,
    next_chunk: AtomicUsize,
    /// Slots of the widest chunk.
    widest_chunk: u32,
    /// Slots of the widest node that fits no chunk; 0 if there was none.
    too_wide: AtomicU32,
    /// Whether a thread found no chunk left.
    short: AtomicBool,
    /// The stamp of visited nodes.
    stamp: u32,
    /// Whether a handle may refer to a recycled node.
    handles_age: bool,
}

/// The slots that one thread cuts nodes from, and its counts.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    slots: Range<u32>,
    /// Nodes made, edges tried, and handles inserted into empty entries, since they were last counted.
    pub(crate) made: u32,
    pub(crate) tried: u64,
    pub(crate) inserted: usize,
}

impl SharedGraph {
    /// Takes over the nodes and the table of `graph`, which must not be used until they are given back. `chunks` are
    /// free slots of it.
    pub(crate) fn take_over(graph: &mut Graph, chunks: Vec<Range<u32>>) -> SharedGraph {
        let slots = graph.slots();
        let end = chunks.iter().map(|chunk| chunk.end as usize).max().unwrap_or(0).max(slots);
        assert!(
            end * SLOT + LANES <= graph.words.capacity() && end <= graph.moves.capacity(),
            "chunks are within the reserved memory"
        );
        let widest_chunk = chunks.iter().map(|chunk| chunk.end - chunk.start).max().unwrap_or(0);
        let (buckets, round) = graph.table.lend();
        // SAFETY: an atomic has size, alignment and valid values of its number, an array those of its elements, and
        // `Written` is a transparent wrapper of a transparent wrapper.
        let (mut words, mut moves, buckets) = unsafe {
            (
                recast::<u32, MaybeUninit<AtomicU32>>(std::mem::take(&mut graph.words)),
                recast::<u16, Written>(std::mem::take(&mut graph.moves)),
                recast::<[u64; ENTRIES], [AtomicU64; ENTRIES]>(buckets),
            )
        };
        // SAFETY: the capacity is reserved, and words and moves beyond the old end may be uninitialised.
        unsafe {
            words.set_len(end * SLOT + LANES);
            moves.set_len(end);
        }
        SharedGraph {
            words: Words(words),
            columns: graph.keeps().columns,
            moves,
            slots,
            table: HandleTable { buckets, round },
            chunks,
            next_chunk: AtomicUsize::new(0),
            widest_chunk,
            too_wide: AtomicU32::new(0),
            short: AtomicBool::new(false),
            stamp: graph.made,
            handles_age: graph.handles_age(),
        }
    }

    /// Gives everything back to `graph`, and returns the chunks that no thread has taken, which are marked as free.
    pub(crate) fn give_back(mut self, graph: &mut Graph) -> Vec<Range<u32>> {
        let taken = self.next_chunk.load(Ordering::Relaxed).min(self.chunks.len());
        let chunks = self.chunks.split_off(taken);
        // New chunks are adjacent: what no thread has taken of them is beyond the end.
        let end = chunks.first().map_or(self.moves.len(), |chunk| chunk.start as usize).max(self.slots);
        chunks.iter().filter(|chunk| (chunk.start as usize) < self.slots).for_each(|chunk| self.mark_free(chunk));
        self.words.0.truncate(end * SLOT);
        self.words.0.resize_with(end * SLOT + LANES, || MaybeUninit::new(AtomicU32::new(0)));
        self.moves.truncate(end);
        // SAFETY: as in `take_over`, the other way round; no other thread has access, and all chunks that are left were
        // zeroed when they were taken.
        unsafe {
            graph.words = recast(self.words.0);
            graph.moves = recast(self.moves);
            graph.table.take_back(recast(self.table.buckets));
        }
        chunks
    }

    /// Whether there were chunks and a thread found none for a node.
    pub(crate) fn is_short(&self) -> bool {
        !self.chunks.is_empty() && self.short.load(Ordering::Relaxed)
    }

    /// Slots of the widest node that fitted no chunk; 0 if there was none.
    pub(crate) fn too_wide(&self) -> usize {
        self.too_wide.load(Ordering::Relaxed) as usize
    }

    /// The stamp of visited nodes.
    #[inline(always)]
    pub(crate) fn stamp(&self) -> u32 {
        self.stamp
    }

    /// Whether a handle may refer to a recycled node.
    #[inline(always)]
    pub(crate) fn handles_age(&self) -> bool {
        self.handles_age
    }

    /// The key of a node.
    #[inline(always)]
    pub(crate) fn key(&self, handle: u32) -> u64 {
        self.words.key(handle as usize * SLOT)
    }

    /// Number of children of a node.
    #[inline(always)]
    pub(crate) fn len(&self, handle: u32) -> usize {
        (self.words.children(handle as usize * SLOT) & LEN) as usize
    }

    /// Prefetches the words that are read first of a node.
    #[inline(always)]
    pub(crate) fn prefetch(&self, handle: u32) {
        prefetch_node(&self.words.0, &self.moves, NodeId(handle), self.columns);
    }

    /// Copies a node's moves, of which there must be as many, and the first of its words. The flags of the copy hold
    /// for its bounds.
    #[inline(always)]
    pub(crate) fn copy(&self, handle: u32, words: &mut [u32], codes: &mut [u16]) {
        let base = handle as usize * SLOT;
        let children = self.words.children(base);
        copy::copy(self.words.words(base, words.len()), words);
        words[head::CHILDREN] = children;
        let here = &self.moves[handle as usize..handle as usize + codes.len()];
        for (to, code) in codes.iter_mut().zip(here) {
            // SAFETY: the caller has a handle of the node, which was published after its moves were written.
            *to = unsafe { (*code.0.get()).assume_init() };
        }
    }

    /// Copies the words from one array of a node with `len` children on.
    pub(crate) fn copy_arrays(&self, handle: u32, len: usize, array: usize, words: &mut [u32]) {
        let from = handle as usize * SLOT + HEAD + array * len;
        copy::copy(self.words.words(from, words.len()), words);
    }

    /// Writes one array of a node with `len` children, for which all threads have the same words; the first word last.
    pub(crate) fn write_array(&self, handle: u32, len: usize, array: usize, words: &[u32]) {
        let from = handle as usize * SLOT + HEAD + array * len;
        copy::write(&words[1..], self.words.words(from + 1, len - 1));
        copy::write(&words[..1], self.words.words(from, 1));
    }

    /// Takes slots of a chunk for a node with `len` children. `None` if no chunk is left, or none is wide enough.
    #[inline(always)]
    pub(crate) fn allocate(&self, len: usize, chunk: &mut Chunk) -> Option<u32> {
        let slots = self.columns.slots_of(len) as u32;
        if slots > self.widest_chunk {
            self.too_wide.fetch_max(slots, Ordering::Relaxed);
            self.short.store(true, Ordering::Relaxed);
            return None;
        }
        while chunk.slots.end - chunk.slots.start < slots {
            self.mark_free(&chunk.slots);
            chunk.slots = 0..0;
            let Some(next) = self.chunks.get(self.next_chunk.fetch_add(1, Ordering::Relaxed)) else {
                self.short.store(true, Ordering::Relaxed);
                return None;
            };
            chunk.slots = next.clone();
            self.zero(&chunk.slots);
        }
        let handle = chunk.slots.start;
        chunk.slots.start += slots;
        chunk.made += 1;
        Some(handle)
    }

    /// Writes a node into slots just allocated for it, without publishing it.
    #[inline(always)]
    pub(crate) fn write(&self, handle: u32, words: &[u32], codes: &[u16]) {
        let base = handle as usize * SLOT;
        let behind = head::KEY_HIGH + 1;
        copy::write(&words[..head::KEY_LOW], self.words.words(base, head::KEY_LOW));
        copy::write(&words[behind..], self.words.words(base + behind, words.len() - behind));
        for (code, here) in codes.iter().zip(&self.moves[handle as usize..]) {
            // SAFETY: the slots belong to this thread alone: no handle leads to them yet but old ones, which no thread
            // follows before the key is written.
            unsafe { (*here.0.get()).write(*code) };
        }
        self.words.set_key(base, u64::from(words[head::KEY_LOW]) | u64::from(words[head::KEY_HIGH]) << 32);
    }

    /// Zeroes the words of a chunk that is uninitialised memory. (Measured: of 545 ms of a search of 1 M simulations,
    /// chunks zeroed by one thread while all others rest take 35, and 5 where each thread zeroes the chunk it takes.)
    fn zero(&self, chunk: &Range<u32>) {
        if (chunk.start as usize) < self.slots {
            return;
        }
        let slots = chunk.start as usize..chunk.end as usize;
        let words = &self.words.0[slots.start * SLOT..slots.end * SLOT];
        // SAFETY: the chunk belongs to this thread alone, and no other accesses its words or moves. Zeros are valid
        // atomics.
        unsafe { words.as_ptr().cast_mut().write_bytes(0, words.len()) };
        for code in &self.moves[slots] {
            // SAFETY: as above.
            unsafe { (*code.0.get()).write(0) };
        }
    }

    /// Removes a node that this thread has written, because another thread was first. If an old handle may lead to it,
    /// it is kept, unreachable otherwise, because other threads may have copied it. Returns whether it was removed.
    pub(crate) fn undo_write(&self, handle: u32, chunk: &mut Chunk) -> bool {
        if self.handles_age {
            return false;
        }
        let end = handle + self.columns.slots_of(self.len(handle)) as u32;
        if end == chunk.slots.start {
            chunk.slots.start = handle;
        } else {
            self.mark_free(&(handle..end));
        }
        chunk.made -= 1;
        true
    }

    /// Marks the rest of a chunk as free.
    pub(crate) fn release(&self, chunk: &mut Chunk) {
        self.mark_free(&std::mem::take(&mut chunk.slots));
    }

    /// Marks slots as free.
    fn mark_free(&self, slots: &Range<u32>) {
        if !slots.is_empty() {
            self.words.mark(slots.start as usize, FREE | (slots.end - slots.start));
        }
    }

    /// The node with this key, if nodes are shared.
    #[inline(always)]
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
        self.table.find(key as u32, |handle| self.key(handle) == key)
    }

    /// Splits existing buckets into the `added` ones at the end of the table, which no other thread reads meanwhile.
    pub(crate) fn split(&self, added: Range<usize>) {
        let HandleTable { buckets, round } = &self.table;
        for new in added {
            for (entry, to) in buckets[new - round].iter().zip(&buckets[new]) {
                let word = entry.load(Ordering::Relaxed);
                if (word >> 32) as usize & round != 0 {
                    to.store(word, Ordering::Relaxed);
                    entry.store(0, Ordering::Relaxed);
                }
            }
        }
    }

    /// Inserts a node that has just been written into the table.
    pub(crate) fn insert(&self, key: u64, handle: u32, chunk: &mut Chunk) -> Insertion {
        let visits = |old: u32| self.words.head(old as usize * SLOT, head::VISITS);
        let inserted = self.table.insert(key as u32, handle, |other| self.key(other) == key, visits);
        chunk.inserted += usize::from(inserted == Insertion::New);
        inserted
    }

    /// Links an edge to a node that has just been written, where nodes are not shared.
    ///
    /// # Errors
    /// If it is linked to another node of the same position: that node.
    pub(crate) fn link_alone(&self, place: Place, key: u64, handle: u32) -> Result<(), u32> {
        self.words.link_unless(place, handle, |old| self.key(old) == key)
    }

    /// The place of an edge.
    #[inline(always)]
    pub(crate) fn place(&self, handle: u32, len: u32, index: u32) -> Place {
        Place { base: handle as usize * SLOT, len: len as usize, index: index as usize }
    }
}

/// Reinterprets a list as one of another type.
///
/// # Safety
/// Both types have the same valid values.
unsafe fn recast<A, B>(list: Vec<A>) -> Vec<B> {
    const { assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>()) };
    let mut list = ManuallyDrop::new(list);
    // SAFETY: size and alignment are the same, so the allocation is one of the new type too, and the caller guarantees
    // valid values.
    unsafe { Vec::from_raw_parts(list.as_mut_ptr().cast(), list.len(), list.capacity()) }
}
