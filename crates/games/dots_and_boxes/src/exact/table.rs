//! The table of proven bounds, shared by all threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use banyan_core::cpu::prefetch;

/// Entries of a bucket: one cache line.
const WAYS: usize = 4;

/// Bounds on the value of a quiet position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) lower: i8,
    pub(super) upper: i8,
    /// Positions searched to prove them, at most `u32::MAX >> 1`.
    pub(super) work: u32,
}

/// A set of entries that one key may be in. An entry is two words, the data and the key combined with it: words of different
/// entries, which two threads may leave behind, do not fit together (Hyatt and Mann 2002, A Lockless Transposition-Table
/// Implementation for Parallel Search).
#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

/// A table of fixed size.
#[derive(Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    /// Number of bits by which a hash is shifted to give the number of a bucket.
    shift: u32,
}

/// Set in the data of an entry in use, so that they are never 0.
const USED: u64 = 1 << 63;

impl Entry {
    fn packed(self) -> u64 {
        USED | u64::from(self.work.min(u32::MAX >> 1)) << 16
            | u64::from(self.lower as u8) << 8
            | u64::from(self.upper as u8)
    }

    fn unpacked(data: u64) -> Entry {
        Entry { lower: (data >> 8) as u8 as i8, upper: data as u8 as i8, work: (data >> 16) as u32 & u32::MAX >> 1 }
    }
}

impl Table {
    /// A table of at most so many bytes, at least 1024.
    pub(super) fn new(bytes: u64) -> Table {
        let n = (bytes.max(1024) / size_of::<Bucket>() as u64).ilog2();
        let mut buckets = Vec::new();
        buckets.resize_with(1 << n, Bucket::default);
        Table { buckets, shift: 64 - n }
    }

    pub(super) fn bytes(&self) -> u64 {
        size_of_val(&self.buckets[..]) as u64
    }

    /// Removes every entry.
    pub(super) fn clear(&self) {
        for [_, data] in self.buckets.iter().flat_map(|bucket| &bucket.0) {
            data.store(0, Relaxed);
        }
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        // Knuth's multiplicative hash: keys are sets of edges, not mixed.
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.buckets, self.place(key));
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.buckets[self.place(key)].0.iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (check.load(Relaxed) ^ data == key && data != 0).then(|| Entry::unpacked(data))
        })
    }

    /// Stores an entry in place of the one with the same key, else an unused one, else the one with the least work.
    #[inline(always)]
    pub(super) fn put(&self, key: u64, entry: Entry) {
        let ways = &self.buckets[self.place(key)].0;
        let cost = |[check, data]: &[AtomicU64; 2]| {
            let data = data.load(Relaxed);
            match data {
                0 => 1,
                _ if check.load(Relaxed) ^ data == key => 0,
                _ => 2 + u64::from(Entry::unpacked(data).work),
            }
        };
        let [check, data] = ways.iter().min_by_key(|way| cost(way)).expect("a bucket has entries");
        let packed = entry.packed();
        check.store(key ^ packed, Relaxed);
        data.store(packed, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_keys_until_costlier_ones_take_their_place() {
        let table = Table::new(1 << 16);
        assert_eq!(table.bytes(), 1 << 16);
        let entry = |work| Entry { lower: -25, upper: 17, work };
        assert_eq!(table.get(0), None, "the empty set of edges is not in an empty table");
        table.put(0, entry(3));
        assert_eq!(table.get(0), Some(entry(3)));
        table.put(0, Entry { lower: 1, upper: 1, work: 9 });
        assert_eq!(table.get(0), Some(Entry { lower: 1, upper: 1, work: 9 }));
        for key in 1..100_000 {
            table.put(key, entry(key as u32));
        }
        let kept: Vec<u64> = (0..100_000).filter(|&key| table.get(key).is_some()).collect();
        assert_eq!(kept.len(), 4096);
        assert!(kept.iter().all(|&key| key > 50_000), "{:?}", kept.first());
        table.clear();
        assert!((0..100_000).all(|key| table.get(key).is_none()));
    }

    #[test]
    fn work_is_capped() {
        assert_eq!(Entry::unpacked(Entry { lower: -95, upper: 95, work: u32::MAX }.packed()).work, u32::MAX >> 1);
    }
}
