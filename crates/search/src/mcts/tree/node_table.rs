//! Finds nodes by the keys of their positions: linear hashing (Litwin 1980), which grows by one bucket at a time, so no
//! search is interrupted by rehashing.

use std::collections::TryReserveError;
use std::ops::Range;

use super::layout::{ENTRIES, bucket_of};

/// Buckets of an empty table.
const FIRST_BUCKETS: usize = 64;
/// Mean entries per bucket at which the table grows. Buckets not split yet hold up to 1.4 times as many; at 3 some
/// three handles in a hundred find their bucket full.
const LOAD: usize = 3;

/// Handles by 32 bits of their keys. An entry is the tag above the handle; 0 is an empty one.
#[derive(Debug)]
pub(crate) struct NodeTable {
    buckets: Vec<[u64; ENTRIES]>,
    /// Buckets at the beginning of this round of splits: a power of two.
    round: usize,
    len: usize,
}

impl NodeTable {
    pub(crate) fn new() -> NodeTable {
        NodeTable { buckets: vec![[0; ENTRIES]; FIRST_BUCKETS], round: FIRST_BUCKETS, len: 0 }
    }

    /// Removes everything and shrinks the table.
    pub(crate) fn clear(&mut self) {
        self.buckets.clear();
        self.buckets.resize(FIRST_BUCKETS, [0; ENTRIES]);
        (self.round, self.len) = (FIRST_BUCKETS, 0);
    }

    /// Lends the buckets, with the size at which the round of splits began, until they are taken back.
    pub(crate) fn lend(&mut self) -> (Vec<[u64; ENTRIES]>, usize) {
        (std::mem::take(&mut self.buckets), self.round)
    }

    /// Takes the buckets back.
    pub(crate) fn take_back(&mut self, buckets: Vec<[u64; ENTRIES]>) {
        self.buckets = buckets;
    }

    /// Counts handles that were inserted while the buckets were lent.
    pub(crate) fn count_inserted(&mut self, handles: usize) {
        self.len += handles;
    }

    /// Bytes of a bucket.
    pub(crate) const BYTES_OF_BUCKET: usize = size_of::<[u64; ENTRIES]>();

    /// The number of buckets.
    pub(crate) fn len(&self) -> usize {
        self.buckets.len()
    }

    /// Buckets to add for `handles` more handles.
    pub(crate) fn buckets_for(&self, handles: usize) -> usize {
        ((self.len + handles) / LOAD).saturating_sub(self.buckets.len())
    }

    /// Adds up to `most` empty buckets of this round, and returns their indices. Each must then be filled from the
    /// bucket it splits (`SharedGraph::split`) before [`end_round`](Self::end_round).
    pub(crate) fn extend(&mut self, most: usize) -> Range<usize> {
        let first = self.buckets.len();
        let end = (first + most).min(2 * self.round);
        self.buckets.reserve_exact(end - first);
        self.buckets.resize(end, [0; ENTRIES]);
        first..end
    }

    /// Ends the round if all its buckets have been split.
    pub(crate) fn end_round(&mut self) {
        if self.buckets.len() == 2 * self.round {
            self.round *= 2;
        }
    }

    /// Reserves memory for a table of `bytes` bytes.
    pub(crate) fn reserve(&mut self, bytes: usize) -> Result<(), TryReserveError> {
        self.buckets.try_reserve_exact((bytes / Self::BYTES_OF_BUCKET).saturating_sub(self.buckets.len()))
    }

    /// Memory taken, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.buckets.len() * size_of::<[u64; ENTRIES]>()
    }

    #[inline(always)]
    fn bucket(&self, tag: u32) -> usize {
        bucket_of(tag, self.round, self.buckets.len())
    }

    /// The handle under `tag` for which `is_it` holds.
    #[inline(always)]
    pub(crate) fn find(&self, tag: u32, is_it: impl Fn(u32) -> bool) -> Option<u32> {
        let entries = &self.buckets[self.bucket(tag)];
        let same = |entry: &&u64| (**entry >> 32) as u32 == tag && **entry as u32 != 0 && is_it(**entry as u32);
        entries.iter().find(same).map(|entry| *entry as u32)
    }

    /// Inserts a handle, which must not be 0. In a full bucket it replaces the handle with the fewest `visits`: that
    /// node can then only be reached from parents already linked to it.
    pub(crate) fn insert(&mut self, tag: u32, handle: u32, may_grow: bool, visits: impl Fn(u32) -> u32) {
        if may_grow && self.len > self.buckets.len() * LOAD {
            self.split();
        }
        let bucket = self.bucket(tag);
        let entries = &mut self.buckets[bucket];
        let free = entries.iter().position(|&entry| entry == 0);
        self.len += usize::from(free.is_some());
        let least = || (0..ENTRIES).min_by_key(|&i| visits(entries[i] as u32)).expect("a bucket has entries");
        let place = free.unwrap_or_else(least);
        entries[place] = u64::from(tag) << 32 | u64::from(handle);
    }

    /// Removes a handle, if it is there.
    pub(crate) fn remove(&mut self, tag: u32, handle: u32) {
        let bucket = self.bucket(tag);
        let wanted = u64::from(tag) << 32 | u64::from(handle);
        if let Some(entry) = self.buckets[bucket].iter_mut().find(|entry| **entry == wanted) {
            *entry = 0;
            self.len -= 1;
        }
    }

    /// Splits the next bucket into itself and a new one at the end.
    fn split(&mut self) {
        let old = self.buckets.len() - self.round;
        let mut moved = [0; ENTRIES];
        for (entry, to) in self.buckets[old].iter_mut().zip(&mut moved) {
            if (*entry >> 32) as usize & self.round != 0 {
                *to = std::mem::take(entry);
            }
        }
        if self.buckets.len() == self.buckets.capacity() {
            self.buckets.reserve_exact(self.buckets.len() / 8 + FIRST_BUCKETS);
        }
        self.buckets.push(moved);
        self.end_round();
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use banyan_core::Rng;

    use super::*;

    #[test]
    fn inserted_handles_are_found_until_removed() {
        let (mut table, mut rng) = (NodeTable::new(), Rng::new(3));
        let mut truth = HashMap::new();
        for handle in 1..60_000u32 {
            let tag = rng.next_u64() as u32;
            truth.insert(handle, tag);
            table.insert(tag, handle, true, |_| 0);
            if handle % 3 == 0 {
                let gone = 1 + rng.below(handle);
                if let Some(tag) = truth.remove(&gone) {
                    table.remove(tag, gone);
                }
            }
        }
        let found = truth.iter().filter(|&(&handle, &tag)| table.find(tag, |h| h == handle) == Some(handle)).count();
        let lost = truth.len() - found;
        assert!(lost * 25 < truth.len(), "{lost} of {} handles were lost", truth.len());
        assert_eq!(table.find(truth[truth.keys().next().expect("many")], |_| false), None);
        assert!(table.len >= found && table.bytes() < truth.len() * 26, "{} bytes", table.bytes());
        table.clear();
        assert!(truth.iter().all(|(_, &tag)| table.find(tag, |_| true).is_none()));
    }

    #[test]
    fn removed_handles_are_not_found() {
        let mut table = NodeTable::new();
        (1..3000u32).for_each(|handle| table.insert(handle.wrapping_mul(0x9e37_79b9), handle, true, |_| 0));
        (1..3000u32).for_each(|handle| table.remove(handle.wrapping_mul(0x9e37_79b9), handle));
        assert_eq!(table.len, 0);
        assert!(table.buckets.iter().flatten().all(|&entry| entry == 0));
    }

    #[test]
    fn a_table_that_may_not_grow_replaces_handles() {
        let mut table = NodeTable::new();
        let before = table.bytes();
        let tag = |handle: u32| handle.wrapping_mul(0x9e37_79b9);
        // The first handles have the most visits, so no later one replaces them.
        (1..9000u32).for_each(|handle| table.insert(tag(handle), handle, false, |old| 10_000 - old));
        assert_eq!((table.bytes(), table.len), (before, FIRST_BUCKETS * ENTRIES));
        let found = (1..200).filter(|&handle| table.find(tag(handle), |h| h == handle).is_some()).count();
        assert_eq!(found, 199);
    }
}
