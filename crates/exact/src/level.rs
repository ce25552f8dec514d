//! One level of a table of proven bounds, and its entries.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use banyan_bits::cpu::{HUGE_PAGE, advise_huge_pages, prefetch, zeroed_words};

/// Words of a bucket, which is one cache line: four entries of two words.
const BUCKET: usize = 8;
/// Entries of a bucket.
pub(crate) const WAYS: usize = BUCKET / 2;
/// Bytes of a bucket.
pub(crate) const BUCKET_BYTES: usize = BUCKET * size_of::<u64>();

/// Proven bounds of a position, with the hint for its next search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProvenEntry {
    /// Lower bound of the value, on the solver's scale.
    pub lower: i8,
    /// Upper bound of the value.
    pub upper: i8,
    /// A hint for the next search of the position, such as the best move; at most [`MOST_HINT`](ProvenEntry::MOST_HINT).
    pub hint: u16,
    /// Positions searched to prove the bounds, at most `u32::MAX >> 1`.
    pub work: u32,
}

/// A table of one size. A key may be in any entry of one bucket. An entry is two words, the key combined with the data, and
/// the data: words of different entries, which two threads may leave behind, do not fit together (Hyatt and Mann 2002, A
/// Lockless Transposition-Table Implementation for Parallel Search).
#[derive(Debug)]
pub(crate) struct TableLevel {
    words: Box<[AtomicU64]>,
    /// The first word of the first bucket, at the beginning of a cache line, or of a huge page.
    begin: usize,
    pub(crate) n_buckets: usize,
}

/// Set in the data of an entry in use, so that they are never 0.
const USED: u64 = 1 << 63;

impl ProvenEntry {
    /// The largest hint.
    pub const MOST_HINT: u16 = (1 << 14) - 1;

    fn packed(self) -> u64 {
        debug_assert!(self.hint <= ProvenEntry::MOST_HINT, "{self:?}");
        USED | u64::from(self.hint) << 47
            | u64::from(self.work.min(u32::MAX >> 1)) << 16
            | u64::from(self.lower as u8) << 8
            | u64::from(self.upper as u8)
    }

    fn unpacked(data: u64) -> ProvenEntry {
        ProvenEntry {
            lower: (data >> 8) as u8 as i8,
            upper: data as u8 as i8,
            hint: (data >> 47) as u16 & ProvenEntry::MOST_HINT,
            work: (data >> 16) as u32 & u32::MAX >> 1,
        }
    }
}

impl TableLevel {
    /// An empty level. With `has_huge_pages` one that is not much smaller than such a page consists of whole ones, and the system is
    /// advised to use them; up to two are beyond its buckets.
    pub(crate) fn new(n_buckets: usize, has_huge_pages: bool) -> TableLevel {
        let n_bytes = n_buckets * BUCKET_BYTES;
        let has_huge_pages = has_huge_pages && cfg!(target_os = "linux") && n_bytes >= HUGE_PAGE / 2;
        let unit = if has_huge_pages { HUGE_PAGE } else { BUCKET_BYTES };
        let words = zeroed_words((n_bytes.next_multiple_of(unit) + unit) / size_of::<u64>());
        let begin = words.as_ptr().align_offset(unit);
        if has_huge_pages {
            advise_huge_pages(&words);
        }
        TableLevel { begin: if begin < unit / size_of::<u64>() { begin } else { 0 }, words, n_buckets }
    }

    /// The words of its buckets.
    pub(crate) fn words(&self) -> &[AtomicU64] {
        &self.words[self.begin..][..BUCKET * self.n_buckets]
    }

    /// Number of entries.
    pub(crate) fn capacity(&self) -> u64 {
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
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(&self.words, self.place(key));
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<ProvenEntry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Relaxed);
            (check.load(Relaxed) ^ data == key && data != 0).then(|| ProvenEntry::unpacked(data))
        })
    }

    /// Stores an entry over the one with the same key, else an unused one, else the one with the least work. Returns
    /// whether an unused one was filled.
    #[inline(always)]
    pub(crate) fn put(&self, key: u64, entry: ProvenEntry) -> bool {
        let cost = |[check, data]: &[AtomicU64; 2]| {
            let data = data.load(Relaxed);
            match data {
                0 => 1,
                _ if check.load(Relaxed) ^ data == key => 0,
                _ => 2 + u64::from(ProvenEntry::unpacked(data).work),
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
    pub(crate) fn copy_to(&self, other: &TableLevel, buckets: Range<usize>) -> u64 {
        let words = |bucket: usize| self.begin + BUCKET * bucket;
        let mut filled = 0;
        for [check, data] in self.words[words(buckets.start)..words(buckets.end)].as_chunks().0 {
            let (check, data) = (check.load(Relaxed), data.load(Relaxed));
            let key = check ^ data;
            // Two threads may have left words of different entries: the key is then one that no position has, or not of this bucket.
            if data != 0 && other.get(key).is_none() {
                filled += u64::from(other.put(key, ProvenEntry::unpacked(data)));
            }
        }
        filled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_capped() {
        assert_eq!(
            ProvenEntry::unpacked(ProvenEntry { lower: -95, upper: 95, hint: 0, work: u32::MAX }.packed()).work,
            u32::MAX >> 1
        );
    }
}
