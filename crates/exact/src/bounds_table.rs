//! The table of proven bounds of an exact solver, shared by all its threads.

use std::sync::OnceLock;
use std::sync::atomic::{
    AtomicBool, AtomicU64, AtomicUsize,
    Ordering::{AcqRel, Acquire, Relaxed, Release},
};

use banyan_core::Poll;

use crate::level::{BUCKET_BYTES, ProvenEntry, TableLevel};

/// Buckets of the first level: 1 MiB. Guess, untuned.
const FIRST: usize = 1 << 14;
/// The size of the next level in sizes of the current one.
const GROWTH: usize = 8;
/// Buckets copied at once: a fraction of a millisecond. Guess, untuned.
const PART: usize = 128;

/// A table that grows to a fixed size, so that a short search touches little memory. (Measured at 36 undrawn edges of 5x5: median
/// 23 ms with all of 64 MiB from the start, 3 ms growing.)
///
/// It consists of levels, each about eight times as large as the one before. All threads use the current one. When it is filled, they
/// continue with the next, and copy the entries in small parts, a part at each report: all at once they took 0.17 s for a level of
/// 247 MiB, whose pages the system provides one by one, and no clock is read meanwhile. What is stored in a level after its part was
/// copied is lost.
#[derive(Debug)]
pub struct BoundsTable {
    /// Smallest first; made when they are first used.
    levels: Vec<OnceLock<TableLevel>>,
    /// Buckets of each level.
    sizes: Vec<usize>,
    current: AtomicUsize,
    /// Entries filled in the current level that threads have reported.
    filled: AtomicU64,
    /// Buckets of the level before the current one that threads have begun to copy; it may exceed their number.
    copied: AtomicUsize,
    /// Whether a thread switches to the next level.
    grows: AtomicBool,
    /// Whether levels made from now on have huge pages, where the system has them.
    has_huge_pages: AtomicBool,
}

/// A table that a thread uses during a search: it counts the positions, checks at intervals whether to stop, and reports what it has
/// filled, so that the table grows.
pub struct TableAccess<'a> {
    table: &'a BoundsTable,
    /// The level in use.
    level: &'a TableLevel,
    /// Entries filled since the last report.
    filled: u64,
    /// Positions visited.
    pub nodes: u64,
    /// Positions between two reports.
    report_every: u64,
    next_poll: u64,
    next_check: u64,
    /// Called when `nodes` reaches `next_poll`.
    poll: Poll<'a>,
}

impl<'a> TableAccess<'a> {
    /// Access to a table that counts positions from `nodes` on and reports after every `report_every` of them; `None` if `poll` stops
    /// it at once.
    pub fn new(table: &'a BoundsTable, nodes: u64, report_every: u64, poll: Poll<'a>) -> Option<TableAccess<'a>> {
        let next_poll = poll(nodes)?;
        let level = table.level();
        Some(TableAccess { table, level, filled: 0, nodes, report_every, next_poll, next_check: nodes, poll })
    }

    /// Counts a position; `None` to stop the search.
    #[inline(always)]
    pub fn count(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.nodes >= self.next_check { self.check() } else { Some(()) }
    }

    #[cold]
    #[inline(never)]
    fn check(&mut self) -> Option<()> {
        if self.nodes >= self.next_poll {
            self.next_poll = (self.poll)(self.nodes)?;
        }
        self.next_check = self.next_poll.min(self.nodes + self.report_every);
        self.level = self.table.grow_after(std::mem::take(&mut self.filled));
        Some(())
    }

    /// Checks at the next position whether to stop: for work beside the positions that takes long.
    pub fn poll_soon(&mut self) {
        (self.next_poll, self.next_check) = (self.nodes, self.nodes);
    }

    /// Brings the entries that may have this key into the cache.
    #[inline(always)]
    pub fn prefetch(&self, key: u64) {
        self.level.prefetch(key);
    }

    /// The entry with this key.
    #[inline(always)]
    pub fn get(&self, key: u64) -> Option<ProvenEntry> {
        self.level.get(key)
    }

    /// Stores bounds that took the positions since `before` to prove. (The least costly entry of its bucket makes room.)
    #[inline(always)]
    pub fn put(&mut self, key: u64, (lower, upper): (i32, i32), hint: u16, before: u64) {
        let work = (self.nodes - before).min(u64::from(u32::MAX)) as u32;
        let entry = ProvenEntry { lower: lower as i8, upper: upper as i8, hint, work };
        self.filled += u64::from(self.level.put(key, entry));
    }
}

impl Drop for TableAccess<'_> {
    fn drop(&mut self) {
        self.table.grow_after(self.filled);
    }
}

impl BoundsTable {
    /// A table of at most `bytes` bytes, at least 1024.
    pub fn new(bytes: u64) -> BoundsTable {
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
        let (current, filled, copied, grows, has_huge_pages) = Default::default();
        BoundsTable { levels, sizes, current, filled, copied, grows, has_huge_pages }
    }

    /// Advises the system to use huge pages for what the table takes from now on; for searches without a short limit of time, since
    /// the first use of such a page takes long.
    pub fn use_huge_pages(&self) {
        self.has_huge_pages.store(true, Relaxed);
    }

    /// An empty table of the same size with pages of the same kind.
    pub(crate) fn another(&self) -> BoundsTable {
        let has_huge_pages = AtomicBool::new(self.has_huge_pages.load(Relaxed));
        BoundsTable { has_huge_pages, ..BoundsTable::new(self.most_bytes()) }
    }

    /// Bytes at full size.
    pub fn most_bytes(&self) -> u64 {
        (self.sizes.iter().sum::<usize>() * BUCKET_BYTES) as u64
    }

    /// Bytes of the levels made so far.
    pub fn bytes(&self) -> u64 {
        let made = self.levels.iter().filter_map(OnceLock::get).map(|level| level.n_buckets * BUCKET_BYTES);
        made.sum::<usize>() as u64
    }

    /// The level in use.
    fn level(&self) -> &TableLevel {
        let current = self.current.load(Acquire);
        self.levels[current].get_or_init(|| TableLevel::new(self.sizes[current], self.has_huge_pages.load(Relaxed)))
    }

    /// Counts entries that a thread has filled, copies a part of the level before, and switches to the next level when all parts are
    /// copied and three quarters of the entries filled. Returns the level in use.
    fn grow_after(&self, filled: u64) -> &TableLevel {
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

    /// Removes every entry; the smallest level is in use again, and the memory of all levels is kept.
    pub fn clear(&self) {
        // Larger levels are empty since they were last in use.
        let used = &self.levels[..=self.current.load(Acquire)];
        for word in used.iter().filter_map(OnceLock::get).flat_map(TableLevel::words) {
            if word.load(Relaxed) != 0 {
                word.store(0, Relaxed);
            }
        }
        self.filled.store(0, Relaxed);
        self.current.store(0, Release);
        // Nothing is left to copy.
        self.copied.store(usize::MAX / 2, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::level::WAYS;

    #[test]
    fn entries_are_found_by_their_keys_until_costlier_ones_take_their_place() {
        let table = BoundsTable::new(1 << 16);
        assert_eq!((table.most_bytes(), table.bytes()), (1 << 16, 0));
        let level = table.level();
        let entry = |work| ProvenEntry { lower: -25, upper: 17, hint: 9, work };
        assert_eq!(level.get(0), None, "the empty set of edges is not in an empty table");
        assert!(level.put(0, entry(3)));
        assert_eq!(level.get(0), Some(entry(3)));
        assert!(!level.put(0, ProvenEntry { lower: 1, upper: 1, hint: ProvenEntry::MOST_HINT, work: 9 }));
        assert_eq!(level.get(0), Some(ProvenEntry { lower: 1, upper: 1, hint: ProvenEntry::MOST_HINT, work: 9 }));
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
        let table = BoundsTable::new(100 << 20);
        assert_eq!(table.sizes, [FIRST, 8 * FIRST, 91 * FIRST]);
        assert_eq!(table.most_bytes(), 100 << 20);
        let entry = |key: u64| ProvenEntry { lower: (key % 5) as i8, upper: 7, hint: 0, work: key as u32 };
        let (mut level, mut filled) = (table.level(), 0);
        let n = 800_000u64;
        for key in 0..n {
            filled += u64::from(level.put(mixed(key), entry(key)));
            if key % 256 == 0 {
                level = table.grow_after(std::mem::take(&mut filled));
            }
        }
        assert_eq!((table.current.load(Relaxed), table.bytes()), (2, 100 << 20));
        let another = table.another();
        assert_eq!((another.most_bytes(), another.bytes()), (100 << 20, 0));
        assert!(!another.has_huge_pages.load(Relaxed));
        table.use_huge_pages();
        assert!(table.another().has_huge_pages.load(Relaxed));
        let kept = (0..n).filter(|&key| level.get(mixed(key)) == Some(entry(key))).count();
        // Full buckets lose entries before three quarters of all are filled.
        assert!(kept as u64 > n * 8 / 10, "{kept}");
        table.clear();
        let levels: Vec<_> = table.levels.iter().filter_map(OnceLock::get).collect();
        assert!(levels.len() == 3 && (0..n).all(|key| levels.iter().all(|level| level.get(mixed(key)).is_none())));
    }

    #[test]
    fn a_report_copies_no_more_than_a_part() {
        let table = BoundsTable::new(20 << 20);
        let entry = |key: u64| ProvenEntry { lower: -1, upper: 1, hint: 0, work: key as u32 };
        let level = table.level();
        let filled = (0..60_000).map(|key| u64::from(level.put(mixed(key), entry(key)))).sum();
        let next = table.grow_after(filled);
        assert!(next.n_buckets > FIRST, "three quarters were filled");
        let found = || (0..60_000).filter(|&key| next.get(mixed(key)).is_some()).count();
        let mut before = found();
        assert_eq!(before, 0, "nothing is copied when the level changes");
        for _ in 0..FIRST / PART {
            table.grow_after(0);
            let after = found();
            assert!(after > before && after - before <= PART * WAYS, "{before} entries, then {after}");
            before = after;
        }
        assert_eq!(before as u64, filled);
    }

    #[test]
    fn several_threads_grow_one_table() {
        let table = BoundsTable::new(20 << 20);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    let mut filled = 0;
                    for i in 0..100_000u64 {
                        let key = mixed(i * 4 + thread);
                        let level =
                            if i % 256 == 0 { table.grow_after(std::mem::take(&mut filled)) } else { table.level() };
                        let entry =
                            ProvenEntry { lower: (key % 50) as i8, upper: 60, hint: i as u16 & 63, work: i as u32 };
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
}
