//! The positions that threads are searching.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Slots: few positions are searched at the same time.
const SLOTS: usize = 1 << 10;

/// The keys of the positions that threads are searching at the moment, so that another thread leaves them for later (T. Kåhre's simplified
/// ABDADA, after J.-C. Weill 1996, The ABDADA Distributed Minimax Search Algorithm). A key may be missing or stay too long: that costs time, not
/// correctness.
#[derive(Debug)]
pub struct InProgress {
    slots: Box<[AtomicU64]>,
    is_shared: AtomicBool,
}

impl Default for InProgress {
    fn default() -> InProgress {
        InProgress { slots: (0..SLOTS).map(|_| AtomicU64::new(0)).collect(), is_shared: AtomicBool::new(false) }
    }
}

impl InProgress {
    /// Makes the searches of one thread visible to others; before that nothing is noted.
    pub fn share(&self) {
        self.is_shared.store(true, Relaxed);
    }

    /// Whether several threads search.
    #[inline(always)]
    pub fn is_shared(&self) -> bool {
        self.is_shared.load(Relaxed)
    }

    #[inline(always)]
    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.slots[(key >> 32) as usize % SLOTS]
    }

    /// Whether a thread is searching this position.
    #[inline(always)]
    pub fn has(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    /// Notes that this thread begins to search a position.
    #[inline(always)]
    pub fn begin(&self, key: u64) {
        self.slot(key).store(key, Relaxed);
    }

    /// Notes that a search has ended.
    #[inline(always)]
    pub fn end(&self, key: u64) {
        let slot = self.slot(key);
        if slot.load(Relaxed) == key {
            slot.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_there_from_its_begin_to_its_end() {
        let searched = InProgress::default();
        assert!(!searched.is_shared());
        searched.share();
        let (key, other) = (0x1234_5678_9abc_def0, 0x1234_5678_0000_0001);
        searched.begin(key);
        assert!(searched.is_shared() && searched.has(key) && !searched.has(other));
        // Another one in the same slot takes its place.
        searched.begin(other);
        searched.end(key);
        assert!(!searched.has(key) && searched.has(other));
        searched.end(other);
        assert!(!searched.has(other));
    }
}
