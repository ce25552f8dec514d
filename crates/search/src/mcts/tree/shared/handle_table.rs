//! The node table while several threads insert into it: that of `tree::node_table`, from which nothing is removed and
//! which does not grow meanwhile.

use super::sync::{AtomicU64, Ordering};
use crate::mcts::tree::layout::{ENTRIES, bucket_of};

/// The result of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Insertion {
    /// Inserted into an empty entry.
    New,
    /// Inserted; replaced another handle.
    Replaced,
    /// Not inserted: the table has this handle of the same node.
    Exists(u32),
}

/// The table.
#[derive(Debug)]
pub(crate) struct HandleTable {
    pub(super) buckets: Vec<[AtomicU64; ENTRIES]>,
    pub(super) round: usize,
}

impl HandleTable {
    #[inline(always)]
    fn entries(&self, tag: u32) -> &[AtomicU64; ENTRIES] {
        &self.buckets[bucket_of(tag, self.round, self.buckets.len())]
    }

    /// The handle under `tag` for which `is_it` holds. Its node's words may be read.
    #[inline(always)]
    pub(crate) fn find(&self, tag: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        recognised(self.entries(tag).iter().map(|entry| entry.load(Ordering::Acquire)), tag, is_it)
    }

    /// Inserts the handle of a node all of whose words are written, unless the table has one of the same node, for
    /// which `is_it` holds. Of two threads that insert the same node one gets the other's handle, since both compete
    /// for the first empty entry; only in a full bucket, where the handle with the fewest `visits` is replaced, both
    /// may be inserted.
    pub(crate) fn insert(
        &self,
        tag: u32,
        handle: u32,
        is_it: impl Fn(u32) -> bool,
        visits: impl Fn(u32) -> u32,
    ) -> Insertion {
        let entries = self.entries(tag);
        let new = u64::from(tag) << 32 | u64::from(handle);
        loop {
            // One read for both checks: what is inserted between two reads would be missed.
            let words: [u64; ENTRIES] = std::array::from_fn(|i| entries[i].load(Ordering::Acquire));
            if let Some(other) = recognised(words.into_iter(), tag, &is_it) {
                return Insertion::Exists(other);
            }
            let free = words.iter().position(|&word| word == 0);
            let least = || (0..ENTRIES).min_by_key(|&i| visits(words[i] as u32)).expect("a bucket has entries");
            let at = free.unwrap_or_else(least);
            if entries[at].compare_exchange(words[at], new, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                return if free.is_some() { Insertion::New } else { Insertion::Replaced };
            }
        }
    }
}

/// The handle under `tag` for which `is_it` holds.
#[inline(always)]
fn recognised(mut entries: impl Iterator<Item = u64>, tag: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
    let same = |word: &u64| (word >> 32) as u32 == tag && *word as u32 != 0 && is_it(*word as u32);
    entries.find(same).map(|word| word as u32)
}
