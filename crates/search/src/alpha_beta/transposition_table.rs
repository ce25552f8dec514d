//! The transposition table: search results of positions, in 64 bits each, eight to a cache line.
//!
//! It starts small, so that short searches stay in the cache, and doubles whenever it is full, up to its cap. A bucket
//! is found by the top bits of a key; an entry stores as many of the low bits as its word has space for. Threads read
//! and write it without locks: an entry is one word, so none is ever half written.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{RwLock, RwLockReadGuard};

/// Entries of a bucket: one cache line.
const WAYS: usize = 8;
/// Buckets of a new table: 64 KiB. Guess, untuned.
const FIRST_BUCKETS: usize = 1 << 10;
/// The kind of bound that a score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// The value is at least the score.
    Lower = 1,
    /// The value is at most the score.
    Upper = 2,
    /// The value is the score.
    Exact = 3,
}

/// An entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Points from the position on, seen by the mover, in the units of the search.
    pub(super) score: i32,
    pub(super) bound: Bound,
    /// Remaining depth of the search; for full entries the logarithm of its positions.
    pub(super) draft: u32,
    /// Whether no horizon cut the search, so that it holds at any depth.
    pub(super) full: bool,
    /// Low bits of the key of the position after the best move.
    pub(super) hint: u64,
}

/// The layout of the 64 bits of an entry; from the lowest: the key's bits, then the fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Scores are between this and its negative.
    most: i32,
    score_bits: u32,
    draft_bits: u32,
    hint_bits: u32,
}

const BOUND_BITS: u32 = 2;
const FULL_BITS: u32 = 1;
/// Searches are counted modulo eight: entries of earlier searches are replaced first.
const AGE_BITS: u32 = 3;

impl Layout {
    /// For scores from `-most` to `most`, found at depths up to `deepest`.
    pub(super) fn new(most: i32, deepest: u32, hint_bits: u32) -> Layout {
        let bits_of = |n: u32| 32 - n.leading_zeros();
        let score_bits = bits_of(2 * most.unsigned_abs());
        // Work is stored as its logarithm, which takes six bits.
        Layout { most, score_bits, draft_bits: bits_of(deepest).clamp(6, 8), hint_bits }
    }

    fn key_bits(self) -> u32 {
        64 - self.score_bits - BOUND_BITS - FULL_BITS - AGE_BITS - self.draft_bits - self.hint_bits
    }

    fn key_mask(self) -> u64 {
        (1 << self.key_bits()) - 1
    }

    fn hint_mask(self) -> u64 {
        (1 << self.hint_bits) - 1
    }

    fn most_draft(self) -> u32 {
        (1 << self.draft_bits) - 1
    }
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Bucket([AtomicU64; WAYS]);

impl Bucket {
    #[inline(always)]
    fn words(&self) -> [u64; WAYS] {
        std::array::from_fn(|way| self.0[way].load(Relaxed))
    }
}

/// A table of entries by key.
#[derive(Debug)]
pub(super) struct TranspositionTable {
    layout: Layout,
    /// The number of buckets is a power of two.
    buckets: Vec<Bucket>,
    most_buckets: usize,
    age: u64,
    /// Threads that wait for all others to unlock the table, so that it can grow.
    release_requests: AtomicU32,
}

impl TranspositionTable {
    /// An empty table that grows to at most `mib` MiB.
    pub(super) fn new(layout: Layout, mib: u32) -> TranspositionTable {
        let most = (mib as usize) << 20;
        let most_buckets = (most / size_of::<Bucket>()).next_power_of_two();
        let most_buckets = if most_buckets * size_of::<Bucket>() > most { most_buckets / 2 } else { most_buckets };
        let mut table = TranspositionTable {
            layout,
            buckets: Vec::new(),
            most_buckets,
            age: 0,
            release_requests: AtomicU32::new(0),
        };
        table.clear();
        table
    }

    /// Removes all entries and shrinks to the first size.
    pub(super) fn clear(&mut self) {
        self.buckets = Vec::new();
        self.buckets.resize_with(FIRST_BUCKETS.min(self.most_buckets), Bucket::default);
        self.age = 0;
    }

    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.buckets.capacity() * size_of::<Bucket>()) as u64
    }

    /// Starts a new search; entries of earlier ones are replaced first.
    pub(super) fn begin_search(&mut self) {
        self.age = (self.age + 1) % (1 << AGE_BITS);
    }

    /// The low bits of a key that a hint keeps.
    #[inline(always)]
    pub(super) fn hint_of(&self, key: u64) -> u64 {
        key & self.layout.hint_mask()
    }

    /// The entry of the position with this key.
    #[inline(always)]
    pub(super) fn find(&self, key: u64) -> Option<Entry> {
        let mask = self.layout.key_mask();
        let bucket = &self.buckets[self.place(key)];
        let word = bucket
            .0
            .iter()
            .map(|word| word.load(Relaxed))
            .find(|&word| (word ^ key) & mask == 0 && word & !mask != 0)?;
        Some(self.unpack(word))
    }

    /// Stores an entry under this key: replaces the entry of the same position, else the one with the lowest priority.
    /// Returns whether an entry of this search was replaced.
    #[inline(always)]
    pub(super) fn put(&self, key: u64, entry: Entry) -> bool {
        let mask = self.layout.key_mask();
        let word = self.pack(entry) | (key & mask);
        let bucket = &self.buckets[self.place(key)];
        let words = bucket.words();
        let known = words.iter().position(|&old| (old ^ key) & mask == 0 && old & !mask != 0);
        let way = known.unwrap_or_else(|| (0..WAYS).min_by_key(|&way| self.priority(words[way])).expect("ways"));
        bucket.0[way].store(word, Relaxed);
        known.is_none() && self.is_current(words[way])
    }

    /// Whether the table should grow after `n_entries` replaced entries.
    #[inline(always)]
    pub(super) fn should_grow_after(&self, n_entries: usize) -> bool {
        n_entries > self.buckets.len() && self.buckets.len() < self.most_buckets
    }

    /// Requests all threads to unlock the table for a moment.
    pub(super) fn request_release(&self) {
        self.release_requests.fetch_add(1, Relaxed);
    }

    /// Ends this thread's request. Those of others remain.
    pub(super) fn end_release_request(&mut self) {
        *self.release_requests.get_mut() -= 1;
    }

    /// Whether a thread waits for all others to unlock the table.
    pub(super) fn is_release_requested(&self) -> bool {
        self.release_requests.load(Relaxed) > 0
    }

    /// Doubles the table, unless another thread did so since it had `bytes`. An entry does not contain the key bit that
    /// selects its half, so it is copied to both; the copy that is never found is replaced like any other.
    #[inline(never)]
    pub(super) fn grow_from(&mut self, bytes: u64) {
        if self.bytes() != bytes {
            return;
        }
        let n = self.buckets.len();
        self.buckets.reserve_exact(n);
        self.buckets.resize_with(2 * n, Bucket::default);
        for i in (0..n).rev() {
            let words = self.buckets[i].words();
            for half in [2 * i, 2 * i + 1] {
                self.buckets[half] = Bucket(words.map(AtomicU64::new));
            }
        }
    }

    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        // The table has at least two buckets, so the shift is less than 64.
        (key >> (64 - self.buckets.len().trailing_zeros())) as usize
    }

    fn is_current(&self, word: u64) -> bool {
        let mask = self.layout.key_mask();
        word & !mask != 0 && (word >> self.layout.key_bits()) % (1 << AGE_BITS) == self.age
    }

    /// The priority of keeping an entry: 0 if it is empty, highest if it is of this search, else by its draft.
    #[inline(always)]
    fn priority(&self, word: u64) -> u64 {
        let aged = word >> self.layout.key_bits();
        let draft = (aged >> AGE_BITS) & u64::from(self.layout.most_draft());
        let now = u64::from(aged % (1 << AGE_BITS) == self.age);
        if aged == 0 { 0 } else { 1 + (now << 8) + draft }
    }

    #[inline(always)]
    fn pack(&self, entry: Entry) -> u64 {
        let layout = self.layout;
        debug_assert!(entry.score.abs() <= layout.most, "{entry:?} does not fit {layout:?}");
        let mut word = (entry.score + layout.most) as u64;
        word = (word << layout.hint_bits) | (entry.hint & layout.hint_mask());
        word = (word << FULL_BITS) | u64::from(entry.full);
        word = (word << BOUND_BITS) | entry.bound as u64;
        word = (word << layout.draft_bits) | u64::from(entry.draft.min(layout.most_draft()));
        word = (word << AGE_BITS) | self.age;
        word << layout.key_bits()
    }

    #[inline(always)]
    fn unpack(&self, word: u64) -> Entry {
        let layout = self.layout;
        let mut word = word >> (layout.key_bits() + AGE_BITS);
        let mut take = |bits: u32| {
            let field = word & ((1 << bits) - 1);
            word >>= bits;
            field
        };
        let draft = take(layout.draft_bits) as u32;
        let bound = match take(BOUND_BITS) {
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        };
        let full = take(FULL_BITS) == 1;
        let hint = take(layout.hint_bits);
        Entry { score: take(layout.score_bits) as i32 - layout.most, bound, draft, full, hint }
    }
}

/// Locks a table for reading: entries may be written, but it does not grow.
pub(super) fn read_table(table: &RwLock<TranspositionTable>) -> RwLockReadGuard<'_, TranspositionTable> {
    table.read().expect("growing does not panic")
}

#[cfg(test)]
mod tests {
    use banyan_core::mix;

    use super::*;

    fn entry(i: u64) -> Entry {
        let bound = [Bound::Lower, Bound::Upper, Bound::Exact][i as usize % 3];
        Entry { score: i as i32 % 4097 - 2048, bound, draft: i as u32 % 60, full: i.is_multiple_of(5), hint: i % 256 }
    }

    fn table(mib: u32) -> TranspositionTable {
        TranspositionTable::new(Layout::new(2048, 60, 8), mib)
    }

    /// Stores entries one after the other and grows the table as a search does.
    fn fill(table: &mut TranspositionTable, entries: impl Iterator<Item = (u64, Entry)>) {
        let mut n_replaced = 0;
        for (key, entry) in entries {
            n_replaced += usize::from(table.put(key, entry));
            if table.should_grow_after(n_replaced) {
                table.grow_from(table.bytes());
                n_replaced = 0;
            }
        }
    }

    #[test]
    fn a_second_request_stays_until_it_is_ended() {
        let mut table = table(1);
        let before = table.bytes();
        table.request_release();
        table.request_release();
        table.grow_from(before);
        table.end_release_request();
        let after = table.bytes();
        assert!(after == 2 * before && table.is_release_requested());
        table.grow_from(before);
        table.end_release_request();
        assert!(table.bytes() == after && !table.is_release_requested());
    }

    #[test]
    fn stored_entries_are_found() {
        let mut table = table(1);
        for i in 0..5000 {
            fill(&mut table, [(mix(i), entry(i))].into_iter());
            assert_eq!(table.find(mix(i)), Some(entry(i)));
        }
        // A few buckets of the small table overflow before it grows.
        assert!((0..5000).filter(|&i| table.find(mix(i)) == Some(entry(i))).count() > 4800);
        assert_eq!((5000..9000).filter(|&i| table.find(mix(i)).is_some()).count(), 0);
    }

    #[test]
    fn a_full_table_grows_to_its_cap_and_keeps_most_until_then() {
        let mut table = table(1);
        let small = table.bytes();
        fill(&mut table, (0..60_000).map(|i| (mix(i), entry(i))));
        assert!(table.bytes() > small && table.bytes() <= 1 << 20, "{}", table.bytes());
        let kept = (0..60_000).filter(|&i| table.find(mix(i)) == Some(entry(i))).count();
        assert!(kept > 36_000, "{kept}");
        fill(&mut table, (60_000..1_000_000).map(|i| (mix(i), entry(i))));
        assert_eq!(table.bytes(), 1 << 20);
        table.clear();
        assert_eq!(table.bytes(), small);
        assert!((0..1_000_000).all(|i| table.find(mix(i)).is_none()));
    }

    #[test]
    fn deep_entries_are_kept_and_old_ones_replaced() {
        let mut table = table(1);
        let deep = |i| Entry { draft: 50, ..entry(i) };
        let flat = |i| (mix(i), Entry { draft: 3, ..entry(i) });
        fill(&mut table, (0..5_000).map(|i| (mix(i), deep(i))));
        fill(&mut table, (5_000..2_000_000).map(flat));
        let kept = |table: &TranspositionTable| (0..5_000).filter(|&i| table.find(mix(i)) == Some(deep(i))).count();
        assert!(kept(&table) > 4_600, "{}", kept(&table));
        table.begin_search();
        fill(&mut table, (2_000_000..4_000_000).map(flat));
        assert!(kept(&table) < 100, "{}", kept(&table));
    }
}
