//! A small model of `SharedGraph`.

#[path = "../../../../../src/mcts/tree/shared/handle_table.rs"]
mod handle_table;
mod sync;
#[allow(dead_code, reason = "the search uses all of it")]
#[path = "../../../../../src/mcts/tree/shared/words.rs"]
mod words;

use std::mem::MaybeUninit;

use loom::cell::UnsafeCell;
use loom::thread::{self, JoinHandle};

use super::layout::{self, ENTRIES, LEN, SLOT, head};
pub(super) use super::layout::{PRUNED, SOLVED, TRIED_SHIFT};
use handle_table::HandleTable;
pub(super) use handle_table::Insertion;
use sync::{AtomicU32, AtomicU64, Ordering};
pub(super) use sync::{explore, explore_in_one_order};
use words::Words;
pub(super) use words::{Change, Place};

/// Slots of a node with one column.
fn slots_of(len: usize) -> usize {
    layout::slots_of(len, 1)
}

/// Nodes with as many children each, and a table of one bucket.
pub(super) struct SharedGraph {
    pub(super) words: Words,
    table: HandleTable,
    moves: Vec<UnsafeCell<u32>>,
    len: usize,
}

// SAFETY: loom panics where a move is read while another thread may write it, which is what the models are for.
unsafe impl Sync for SharedGraph {}

impl SharedGraph {
    /// A graph of `nodes` nodes with `len` children each, at the handles `handle(0)` and so on.
    pub(super) fn new(nodes: usize, len: usize) -> SharedGraph {
        let slots = 1 + nodes * slots_of(len);
        let words = Words((0..slots * SLOT).map(|_| MaybeUninit::new(AtomicU32::new(0))).collect());
        let buckets = vec![std::array::from_fn(|_| AtomicU64::new(0))];
        let moves = (0..nodes).map(|_| UnsafeCell::new(0)).collect();
        SharedGraph { words, table: HandleTable { buckets, round: 1 }, moves, len }
    }

    pub(super) fn handle(&self, node: usize) -> u32 {
        (1 + node * slots_of(self.len)) as u32
    }

    pub(super) fn base(&self, node: usize) -> usize {
        self.handle(node) as usize * SLOT
    }

    pub(super) fn place(&self, node: usize, index: usize) -> Place {
        Place { base: self.base(node), len: self.len, index }
    }

    /// The index of a word of an edge of node 0.
    pub(super) fn at(&self, index: usize, array: usize) -> usize {
        self.place(0, index).at(array)
    }

    fn move_of(&self, handle: u32) -> &UnsafeCell<u32> {
        &self.moves[(handle as usize - 1) / slots_of(self.len)]
    }

    /// The words that `content` is written to: enough to check that all are visible.
    fn content_words(&self) -> [usize; 2] {
        [head::OWN_MEAN, slots_of(self.len) * SLOT - 1]
    }

    /// Writes a node as `SharedGraph::write` does, with `content` everywhere.
    pub(super) fn write(&self, handle: u32, key: u64, content: u32) {
        let base = handle as usize * SLOT;
        self.content_words().iter().for_each(|&word| self.words.set_head(base, word, content));
        self.words.set_head(base, head::CHILDREN, self.len as u32);
        // SAFETY: loom detects a concurrent access.
        self.move_of(handle).with_mut(|mv| unsafe { *mv = content });
        self.words.set_key(base, key);
    }

    /// The content of a node, checked to be the same everywhere.
    pub(super) fn read(&self, handle: u32) -> u32 {
        let base = handle as usize * SLOT;
        assert_eq!((self.words.children(base) & LEN) as usize, self.len);
        // SAFETY: loom detects a concurrent write.
        let mv = self.move_of(handle).with(|mv| unsafe { *mv });
        self.content_words()
            .iter()
            .for_each(|&word| assert_eq!(self.words.head(base, word), mv, "a word of the node is missing"));
        mv
    }

    pub(super) fn key(&self, handle: u32) -> u64 {
        self.words.key(handle as usize * SLOT)
    }

    /// Number of children tried.
    pub(super) fn tried(&self, node: usize) -> usize {
        (self.words.children(self.base(node)) >> TRIED_SHIFT & LEN) as usize
    }

    pub(super) fn find(&self, key: u64) -> Option<u32> {
        self.table.find(key as u32, |handle| self.key(handle) == key)
    }

    pub(super) fn insert(&self, key: u64, handle: u32) -> Insertion {
        let visits = |old: u32| self.words.head(old as usize * SLOT, head::VISITS);
        self.table.insert(key as u32, handle, |other| self.key(other) == key, visits)
    }

    /// The number of entries of a handle.
    pub(super) fn times_inserted(&self, handle: u32) -> usize {
        let entries = self.table.buckets[0].iter().map(|entry| entry.load(Ordering::Relaxed));
        entries.filter(|&entry| entry as u32 == handle).count()
    }

    /// Removes a node as `Graph::remove` does between phases.
    pub(super) fn remove(&self, handle: u32) {
        let inserted = self.key(handle) << 32 | u64::from(handle);
        let entry = (0..ENTRIES).find(|&i| self.table.buckets[0][i].load(Ordering::Relaxed) == inserted);
        if let Some(entry) = entry {
            self.table.buckets[0][entry].store(0, Ordering::Relaxed);
        }
        self.words.set_key(handle as usize * SLOT, 0);
    }
}

/// Runs `act` on another thread with the same graph.
pub(super) fn meanwhile<T: 'static>(graph: &Shared, act: impl FnOnce(&SharedGraph) -> T + 'static) -> JoinHandle<T> {
    let graph = graph.clone();
    thread::spawn(move || act(&graph))
}

/// A graph that several threads share.
pub(super) type Shared = std::sync::Arc<SharedGraph>;

pub(super) fn shared(nodes: usize, len: usize) -> Shared {
    Shared::new(SharedGraph::new(nodes, len))
}
