//! The graph while several threads work on it, without a lock.
//!
//! It is the arena and the table of `graph` and `table`, whose words are atomics for so long. New nodes are cut from rooms
//! that were made before, when nobody else was at work; nothing grows, and nothing is taken away, until all have stopped.
//! So a handle that was ever seen can be followed for as long.

use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use banyan_core::cpu::LANES;

use super::copy;
use super::handle_table::{Filed, HandleTable};
use super::sync::{AtomicU32, AtomicU64};
use super::words::{Place, Words};
use crate::tree::graph::Graph;
use crate::tree::layout::{ENTRIES, FREE, HEAD, LEN, SLOT, head, slots_of};

/// The code of a move, which is written once, before any handle leads to its node.
#[repr(transparent)]
#[derive(Debug)]
struct Written(UnsafeCell<MaybeUninit<u16>>);

// SAFETY: a code is written by the one thread that owns the room its node is cut from, and read by others only after they
// have read a handle of that node, which is published after the write (`Words::link`, `HandleTable::file`), or, by an old handle,
// its key, which is too (`Words::set_key`).
unsafe impl Sync for Written {}

/// The graph while several threads work on it.
#[derive(Debug)]
pub(crate) struct SharedGraph {
    pub(crate) words: Words,
    moves: Vec<Written>,
    table: HandleTable,
    /// Slots that were there before rooms were made.
    slots: usize,
    /// Slots for new nodes, and the first of them that nobody has taken.
    chunks: Vec<Range<u32>>,
    next_chunk: AtomicUsize,
    /// Slots of the widest room.
    widest_chunk: u32,
    /// Slots of the widest node that no room is wide enough for; 0 if there was none.
    too_wide: AtomicU32,
    /// Whether somebody found no room.
    short: AtomicBool,
    /// The time that is written on nodes passed.
    stamp: u32,
    /// Whether a handle may name a node that is there no more.
    handles_age: bool,
}

/// Slots that one thread may cut nodes from, and what it has cut.
#[derive(Debug, Default)]
pub(crate) struct Chunk {
    slots: Range<u32>,
    /// Nodes made, edges tried, and handles filed where nothing was, since they were last counted.
    pub(crate) made: u32,
    pub(crate) tried: u64,
    pub(crate) filed: usize,
}

impl SharedGraph {
    /// Takes over what is in `graph`, which must not be used until it is given back. `chunks` are free slots of it.
    pub(crate) fn take_over(graph: &mut Graph, chunks: Vec<Range<u32>>) -> SharedGraph {
        let slots = graph.slots();
        let end = chunks.iter().map(|chunk| chunk.end as usize).max().unwrap_or(0).max(slots);
        assert!(
            end * SLOT + LANES <= graph.words.capacity() && end <= graph.moves.capacity(),
            "rooms lie in what is reserved"
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
        // SAFETY: so much is reserved, and what is beyond the old end need hold nothing.
        unsafe {
            words.set_len(end * SLOT + LANES);
            moves.set_len(end);
        }
        SharedGraph {
            words: Words(words),
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

    /// Gives everything back to `graph`, and the rooms that nobody has taken, which are marked as free.
    pub(crate) fn give_back(mut self, graph: &mut Graph) -> Vec<Range<u32>> {
        let taken = self.next_chunk.load(Ordering::Relaxed).min(self.chunks.len());
        let chunks = self.chunks.split_off(taken);
        // New rooms lie one behind another: what nobody has taken of them is beyond the end.
        let end = chunks.first().map_or(self.moves.len(), |chunk| chunk.start as usize).max(self.slots);
        chunks.iter().filter(|chunk| (chunk.start as usize) < self.slots).for_each(|chunk| self.leave(chunk));
        self.words.0.truncate(end * SLOT);
        self.words.0.resize_with(end * SLOT + LANES, || MaybeUninit::new(AtomicU32::new(0)));
        self.moves.truncate(end);
        // SAFETY: as in `take_over`, the other way round; nobody shares what is owned here, and all rooms that are left were
        // furnished when they were taken.
        unsafe {
            graph.words = recast(self.words.0);
            graph.moves = recast(self.moves);
            graph.table.take_back(recast(self.table.buckets));
        }
        chunks
    }

    /// Whether there were rooms and somebody found none for a node.
    pub(crate) fn is_short(&self) -> bool {
        !self.chunks.is_empty() && self.short.load(Ordering::Relaxed)
    }

    /// Slots of the widest node that no room was wide enough for; 0 if there was none.
    pub(crate) fn too_wide(&self) -> usize {
        self.too_wide.load(Ordering::Relaxed) as usize
    }

    /// The time to be written on nodes passed.
    #[inline(always)]
    pub(crate) fn stamp(&self) -> u32 {
        self.stamp
    }

    /// Whether a handle may name a node that is there no more.
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

    /// Copies a node's moves, of which there must be as many, and the first of its words. Flags of the copy hold of its bounds.
    #[inline(always)]
    pub(crate) fn copy(&self, handle: u32, words: &mut [u32], codes: &mut [u16]) {
        let base = handle as usize * SLOT;
        let children = self.words.children(base);
        copy::copy(self.words.words(base, words.len()), words);
        words[head::CHILDREN] = children;
        let here = &self.moves[handle as usize..handle as usize + codes.len()];
        for (to, code) in codes.iter_mut().zip(here) {
            // SAFETY: whoever calls has the handle of the node, before which its moves were written for good.
            *to = unsafe { (*code.0.get()).assume_init() };
        }
    }

    /// Copies the words of one array.
    pub(crate) fn copy_array(&self, handle: u32, array: usize, words: &mut [u32]) {
        let from = handle as usize * SLOT + HEAD + array * words.len();
        copy::copy(self.words.words(from, words.len()), words);
    }

    /// Writes a node into a room: nobody knows of it yet. `None` where there is no room left, or none is wide
    /// enough.
    pub(crate) fn write(&self, words: &[u32], codes: &[u16], chunk: &mut Chunk) -> Option<u32> {
        let slots = slots_of(codes.len()) as u32;
        if slots > self.widest_chunk {
            self.too_wide.fetch_max(slots, Ordering::Relaxed);
            self.short.store(true, Ordering::Relaxed);
            return None;
        }
        while chunk.slots.end - chunk.slots.start < slots {
            self.leave(&chunk.slots);
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
        let base = handle as usize * SLOT;
        let behind = head::KEY_HIGH + 1;
        copy::write(&words[..head::KEY_LOW], self.words.words(base, head::KEY_LOW));
        copy::write(&words[behind..], self.words.words(base + behind, words.len() - behind));
        for (code, here) in codes.iter().zip(&self.moves[handle as usize..]) {
            // SAFETY: the slots belong to this thread alone: no handle leads to them yet but old ones, which nobody follows
            // before the key is there.
            unsafe { (*here.0.get()).write(*code) };
        }
        self.words.set_key(base, u64::from(words[head::KEY_LOW]) | u64::from(words[head::KEY_HIGH]) << 32);
        Some(handle)
    }

    /// Writes all words of a room that was nothing but memory before. (Measured: of 545 ms of a search of 1 M simulations, rooms
    /// that are all written while the other threads rest take 35, and 5 where each writes the room it takes.)
    fn zero(&self, chunk: &Range<u32>) {
        if (chunk.start as usize) < self.slots {
            return;
        }
        let slots = chunk.start as usize..chunk.end as usize;
        let words = &self.words.0[slots.start * SLOT..slots.end * SLOT];
        // SAFETY: the room belongs to this thread alone, and nobody else knows of its words or moves. Zeros are atomics.
        unsafe { words.as_ptr().cast_mut().write_bytes(0, words.len()) };
        for code in &self.moves[slots] {
            // SAFETY: as above.
            unsafe { (*code.0.get()).write(0) };
        }
    }

    /// Takes the node written last back: another thread was first. Where an old handle may lead to it, it stays, found by
    /// nobody else, for others may have copied it.
    pub(crate) fn undo_write(&self, handle: u32, chunk: &mut Chunk) {
        if self.handles_age {
            return;
        }
        debug_assert_eq!(handle + slots_of(self.len(handle)) as u32, chunk.slots.start);
        chunk.slots.start = handle;
        chunk.made -= 1;
    }

    /// Gives up what is left of a room.
    pub(crate) fn release(&self, chunk: &mut Chunk) {
        self.leave(&std::mem::take(&mut chunk.slots));
    }

    /// Marks slots as free.
    fn leave(&self, slots: &Range<u32>) {
        if !slots.is_empty() {
            self.words.mark(slots.start as usize, FREE | (slots.end - slots.start));
        }
    }

    /// The node with this key, where nodes are shared.
    #[inline(always)]
    pub(crate) fn find(&self, key: u64) -> Option<u32> {
        self.table.find(key as u32, |handle| self.key(handle) == key)
    }

    /// Gives buckets added at the end of the table their halves of others, at which nobody else looks meanwhile.
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

    /// Files a node that has just been written.
    pub(crate) fn file(&self, key: u64, handle: u32, chunk: &mut Chunk) -> Filed {
        let visits = |old: u32| self.words.head(old as usize * SLOT, head::VISITS);
        let filed = self.table.file(key as u32, handle, |other| self.key(other) == key, visits);
        chunk.filed += usize::from(filed == Filed::New);
        filed
    }

    /// Has an edge lead to a node that has just been written, where nodes are not shared.
    ///
    /// # Errors
    /// Where it leads to another node of the same position: there.
    pub(crate) fn link_alone(&self, place: Place, key: u64, handle: u32) -> Result<(), u32> {
        self.words.link_unless(place, handle, |old| self.key(old) == key)
    }

    /// Where an edge lies.
    #[inline(always)]
    pub(crate) fn place(&self, handle: u32, len: u32, index: u32) -> Place {
        Place { base: handle as usize * SLOT, len: len as usize, index: index as usize }
    }
}

/// The same memory as a list of another type.
///
/// # Safety
/// Both types have the same valid values.
unsafe fn recast<A, B>(list: Vec<A>) -> Vec<B> {
    const { assert!(size_of::<A>() == size_of::<B>() && align_of::<A>() == align_of::<B>()) };
    let mut list = ManuallyDrop::new(list);
    // SAFETY: size and alignment are the same, so the allocation is one of the new type too, and the caller answers for the
    // values.
    unsafe { Vec::from_raw_parts(list.as_mut_ptr().cast(), list.len(), list.capacity()) }
}
