//! Handles by the keys of their nodes, filed by several threads at once: the table of `tree::node_table`, in which nothing is
//! removed and which does not grow meanwhile.

use super::sync::{AtomicU64, Ordering};
use crate::tree::layout::{ENTRIES, bucket_of};

/// What became of a handle that was to be filed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Filed {
    /// It is filed where nothing was.
    New,
    /// It is filed in place of another.
    Instead,
    /// Another handle of the same node was there first.
    Before(u32),
}

/// The table as it stands.
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

    /// The handle filed under `tag` that `is_it` recognises. Its node's words may be read.
    #[inline(always)]
    pub(crate) fn find(&self, tag: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        recognised(self.entries(tag).iter().map(|entry| entry.load(Ordering::Acquire)), tag, is_it)
    }

    /// Files the handle of a node all of whose words are written, unless one of the same node, as `is_it` says, is there.
    /// Of two threads that file the same node one learns of the other, since both go for the first empty entry; only where
    /// a bucket is full, and the handle with the fewest `visits` is forgotten for it, both may be filed.
    pub(crate) fn file(
        &self,
        tag: u32,
        handle: u32,
        is_it: impl Fn(u32) -> bool,
        visits: impl Fn(u32) -> u32,
    ) -> Filed {
        let entries = self.entries(tag);
        let new = u64::from(tag) << 32 | u64::from(handle);
        loop {
            // One look for both questions: what is filed between two looks would escape.
            let words: [u64; ENTRIES] = std::array::from_fn(|i| entries[i].load(Ordering::Acquire));
            if let Some(other) = recognised(words.into_iter(), tag, &is_it) {
                return Filed::Before(other);
            }
            let free = words.iter().position(|&word| word == 0);
            let least = || (0..ENTRIES).min_by_key(|&i| visits(words[i] as u32)).expect("a bucket has entries");
            let at = free.unwrap_or_else(least);
            if entries[at].compare_exchange(words[at], new, Ordering::AcqRel, Ordering::Acquire).is_ok() {
                return if free.is_some() { Filed::New } else { Filed::Instead };
            }
        }
    }
}

/// The handle filed under `tag` that `is_it` recognises.
#[inline(always)]
fn recognised(mut entries: impl Iterator<Item = u64>, tag: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
    let same = |word: &u64| (word >> 32) as u32 == tag && *word as u32 != 0 && is_it(*word as u32);
    entries.find(same).map(|word| word as u32)
}
