//! The table of proven bounds, shared by all threads.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicBool, AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use banyan_core::cpu::{prefetch, zeroed_words};

/// Words of a bucket, which is one cache line: four entries of two words.
const BUCKET: usize = 8;
/// Entries of a bucket.
const WAYS: usize = BUCKET / 2;
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

/// A table that grows to a fixed size, so that a short search touches little memory. (Measured at 36 undrawn edges of 5x5: median
/// 23 ms with all of 64 MiB from the start, 3 ms growing.)
///
/// It consists of levels, each about eight times as large as the one before. All threads use the current one. When it is filled, they
/// continue with the next, and copy the entries in small parts, a part at each report: all at once they took 0.17 s for a level of
/// 247 MiB, whose pages the system provides one by one, and no clock is read meanwhile. What is stored in a level after its part was
/// copied is lost.
#[derive(Debug)]
pub(super) struct Table {
    /// Smallest first; made when they are first used.
    levels: Vec<OnceLock<Level>>,
    /// Buckets of each level.
    sizes: Vec<usize>,
    current: AtomicUsize,
    /// Entries filled in the current level, as far as threads have reported them.
    filled: AtomicU64,
    /// Buckets of the level before the current one that threads have begun to copy; it may exceed their number.
    copied: AtomicUsize,
    /// Whether a thread switches to the next level.
    grows: AtomicBool,
}

/// A table of one size. A key may be in any entry of one bucket. An entry is two words, the key combined with the data, and
/// the data: words of different entries, which two threads may leave behind, do not fit together (Hyatt and Mann 2002, A
/// Lockless Transposition-Table Implementation for Parallel Search).
#[derive(Debug)]
pub(super) struct Level {
    words: Box<[AtomicU64]>,
    /// The first word of the first bucket, at the beginning of a cache line.
    begin: usize,
    n_buckets: usize,
}

/// Buckets of the first level: 1 MiB. Guess, untuned.
const FIRST: usize = 1 << 14;
/// How many times as large the next level is.
const GROWTH: usize = 8;
/// Buckets copied at once: a fraction of a millisecond. Guess, untuned.
const PART: usize = 128;

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
        let all = bytes.max(1024) as usize / BUCKET_BYTES;
        // The smaller levels stay beside the last one, which is at least three times as large as the one before.
        let (mut sizes, mut rest, mut size) = (Vec::new(), all, FIRST);
        while size * 4 <= rest {
            sizes.push(size);
            rest -= size;
            size *= GROWTH;
        }
        sizes.push(rest);
        let levels = sizes.iter().map(|_| OnceLock::new()).collect();
        let (current, filled, copied, grows) = Default::default();
        Table { levels, sizes, current, filled, copied, grows }
    }

    /// Bytes at full size.
    pub(super) fn most_bytes(&self) -> u64 {
        (self.sizes.iter().sum::<usize>() * BUCKET_BYTES) as u64
    }

    /// Bytes of the levels made so far.
    pub(super) fn bytes(&self) -> u64 {
        let made = self.levels.iter().filter_map(OnceLock::get).map(|level| level.n_buckets * BUCKET_BYTES);
        made.sum::<usize>() as u64
    }

    /// The level in use.
    pub(super) fn level(&self) -> &Level {
        let current = self.current.load(Acquire);
        self.levels[current].get_or_init(|| Level::new(self.sizes[current]))
    }

    /// Counts entries that a thread has filled, copies a part of the level before, and switches to the next level when all parts are
    /// copied and three quarters of the entries filled. Returns the level in use.
    pub(super) fn grow_after(&self, filled: u64) -> &Level {
        let current = self.current.load(Acquire);
        let level = self.level();
        let before = current.checked_sub(1).and_then(|before| self.levels[before].get());
        let left = before.filter(|before| self.copied.load(Relaxed) < before.n_buckets);
        if let Some(before) = left {
            let begin = self.copied.fetch_add(PART, Relaxed).min(before.n_buckets);
            let copied = before.copy_to(level, begin..(begin + PART).min(before.n_buckets));
            self.filled.fetch_add(filled + copied, Relaxed);
            return level;
        }
        let filled = self.filled.fetch_add(filled, Relaxed) + filled;
        let has_next = current + 1 < self.sizes.len();
        if !has_next || filled < level.capacity() / 4 * 3 || self.grows.swap(true, AcqRel) {
            return level;
        }
        // Another thread may have finished growing between the two readings.
        if self.current.load(Acquire) == current {
            self.filled.store(0, Relaxed);
            self.copied.store(0, Relaxed);
            self.current.store(current + 1, Release);
        }
        self.grows.store(false, Release);
        self.level()
    }

    /// Removes every entry; the level in use stays.
    pub(super) fn clear(&self) {
        for word in self.levels.iter().filter_map(OnceLock::get).flat_map(|level| &level.words) {
            if word.load(Relaxed) != 0 {
                word.store(0, Relaxed);
            }
        }
        self.filled.store(0, Relaxed);
        // Nothing is left to copy.
        self.copied.store(usize::MAX / 2, Relaxed);
    }
}

impl Level {
    fn new(n_buckets: usize) -> Level {
        let words = zeroed_words(BUCKET * (n_buckets + 1));
        let begin = words.as_ptr().align_offset(BUCKET_BYTES);
        Level { begin: if begin < BUCKET { begin } else { 0 }, words, n_buckets }
    }

    /// Number of entries.
    fn capacity(&self) -> u64 {
        (self.n_buckets * WAYS) as u64
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        // Knuth's multiplicative hash, for keys are sets of edges, not mixed; its upper half is scaled to the number of buckets.
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.begin + BUCKET * ((u128::from(hash) * self.n_buckets as u128) >> 64) as usize
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

    /// Stores an entry in place of the one with the same key, else an unused one, else the one with the least work. Returns
    /// whether an unused one was filled.
    #[inline(always)]
    pub(super) fn put(&self, key: u64, entry: Entry) -> bool {
        let cost = |[check, data]: &[AtomicU64; 2]| {
            let data = data.load(Relaxed);
            match data {
                0 => 1,
                _ if check.load(Relaxed) ^ data == key => 0,
                _ => 2 + u64::from(Entry::unpacked(data).work),
            }
        };
        let [check, data] = self.bucket(key).iter().min_by_key(|way| cost(way)).expect("a bucket has entries");
        let is_new = data.load(Relaxed) == 0;
        let packed = entry.packed();
        check.store(key ^ packed, Relaxed);
        data.store(packed, Relaxed);
        is_new
    }

    /// Copies the entries of some buckets that the other level lacks, and returns how many it filled.
    fn copy_to(&self, other: &Level, buckets: Range<usize>) -> u64 {
        let words = |bucket: usize| self.begin + BUCKET * bucket;
        let mut filled = 0;
        for [check, data] in self.words[words(buckets.start)..words(buckets.end)].as_chunks().0 {
            let (check, data) = (check.load(Relaxed), data.load(Relaxed));
            let key = check ^ data;
            // Two threads may have left words of different entries: the key is then one that no position has, or not of this bucket.
            if data != 0 && other.get(key).is_none() {
                filled += u64::from(other.put(key, Entry::unpacked(data)));
            }
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_by_their_keys_until_costlier_ones_take_their_place() {
        let table = Table::new(1 << 16);
        assert_eq!((table.most_bytes(), table.bytes()), (1 << 16, 0));
        let level = table.level();
        let entry = |work| Entry { lower: -25, upper: 17, work };
        assert_eq!(level.get(0), None, "the empty set of edges is not in an empty table");
        assert!(level.put(0, entry(3)));
        assert_eq!(level.get(0), Some(entry(3)));
        assert!(!level.put(0, Entry { lower: 1, upper: 1, work: 9 }));
        assert_eq!(level.get(0), Some(Entry { lower: 1, upper: 1, work: 9 }));
        for key in 1..100_000 {
            level.put(key, entry(key as u32));
        }
        let kept: Vec<u64> = (0..100_000).filter(|&key| level.get(key).is_some()).collect();
        assert_eq!(kept.len(), 4096);
        assert!(kept.iter().all(|&key| key > 50_000), "{:?}", kept.first());
        table.clear();
        assert!((0..100_000).all(|key| level.get(key).is_none()));
    }

    #[test]
    fn a_table_grows_with_its_entries_and_keeps_most_of_them() {
        let table = Table::new(100 << 20);
        assert_eq!(table.sizes, [FIRST, 8 * FIRST, 91 * FIRST]);
        assert_eq!(table.most_bytes(), 100 << 20);
        let entry = |key: u64| Entry { lower: (key % 5) as i8, upper: 7, work: key as u32 };
        let (mut level, mut filled) = (table.level(), 0);
        let n = 800_000u64;
        for key in 0..n {
            filled += u64::from(level.put(mixed(key), entry(key)));
            if key % 256 == 0 {
                level = table.grow_after(std::mem::take(&mut filled));
            }
        }
        assert_eq!((table.current.load(Relaxed), table.bytes()), (2, 100 << 20));
        let kept = (0..n).filter(|&key| level.get(mixed(key)) == Some(entry(key))).count();
        // Full buckets lose entries before three quarters of all are filled.
        assert!(kept as u64 > n * 8 / 10, "{kept}");
    }

    #[test]
    fn several_threads_grow_one_table() {
        let table = Table::new(20 << 20);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut filled = 0;
                    for i in 0..100_000u64 {
                        let key = mixed(i * 4 + thread);
                        let level =
                            if i % 256 == 0 { table.grow_after(std::mem::take(&mut filled)) } else { table.level() };
                        let entry = Entry { lower: (key % 50) as i8, upper: 60, work: i as u32 };
                        filled += u64::from(level.put(key, entry));
                        if let Some(found) = level.get(key) {
                            assert_eq!(found, entry);
                        }
                    }
                });
            }
        });
        assert_eq!(table.current.load(Relaxed), 1);
    }

    fn mixed(key: u64) -> u64 {
        banyan_core::mix(key) >> 4
    }

    #[test]
    fn work_is_capped() {
        assert_eq!(Entry::unpacked(Entry { lower: -95, upper: 95, work: u32::MAX }.packed()).work, u32::MAX >> 1);
    }
}
