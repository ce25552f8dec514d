//! The table of proven bounds, shared by all threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use banyan_core::cpu::{prefetch, zeroed_words};

/// Words of a bucket, which is one cache line: four entries of two words.
const BUCKET: usize = 8;
/// Bytes of a bucket.
const BUCKET_BYTES: usize = BUCKET * size_of::<u64>();

/// Bounds on the value of a quiet position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) lower: i8,
    pub(super) upper: i8,
    /// Positions searched to prove them, at most `u32::MAX >> 1`.
    pub(super) work: u32,
}

/// A table of fixed size. A key may be in any entry of one bucket. An entry is two words, the key combined with the data, and
/// the data: words of different entries, which two threads may leave behind, do not fit together (Hyatt and Mann 2002, A
/// Lockless Transposition-Table Implementation for Parallel Search).
#[derive(Debug)]
pub(super) struct Table {
    words: Box<[AtomicU64]>,
    /// The first word of the first bucket, at the beginning of a cache line.
    begin: usize,
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
    /// A table of at most so many bytes, at least 1024. Memory is touched only where it is used.
    pub(super) fn new(bytes: u64) -> Table {
        let n = (bytes.max(1024) / BUCKET_BYTES as u64).ilog2();
        let words = zeroed_words((BUCKET << n) + BUCKET - 1);
        let begin = words.as_ptr().align_offset(BUCKET_BYTES);
        Table { begin: if begin < BUCKET { begin } else { 0 }, words, shift: 64 - n }
    }

    /// Bytes of the entries.
    pub(super) fn bytes(&self) -> u64 {
        (BUCKET_BYTES as u64) << (64 - self.shift)
    }

    /// Removes every entry.
    pub(super) fn clear(&self) {
        for word in &self.words {
            if word.load(Relaxed) != 0 {
                word.store(0, Relaxed);
            }
        }
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        // Knuth's multiplicative hash: keys are sets of edges, not mixed.
        self.begin + BUCKET * (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// The entries that may have this key.
    #[inline(always)]
    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]] {
        let place = self.place(key);
        self.words[place..place + BUCKET].as_chunks().0
    }

    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(&self.words, self.place(key));
    }

    #[inline(always)]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (check.load(Relaxed) ^ data == key && data != 0).then(|| Entry::unpacked(data))
        })
    }

    /// Stores an entry in place of the one with the same key, else an unused one, else the one with the least work.
    #[inline(always)]
    pub(super) fn put(&self, key: u64, entry: Entry) {
        let cost = |[check, data]: &[AtomicU64; 2]| {
            let data = data.load(Relaxed);
            match data {
                0 => 1,
                _ if check.load(Relaxed) ^ data == key => 0,
                _ => 2 + u64::from(Entry::unpacked(data).work),
            }
        };
        let [check, data] = self.bucket(key).iter().min_by_key(|way| cost(way)).expect("a bucket has entries");
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
