//! Positions that threads are searching.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Size of the table: 32 KiB.
const MARKS: usize = 1 << 12;

/// Keys of positions being searched, so that other threads defer them (Kerrigan's simplification of ABDADA: Weill 1996, The ABDADA Distributed
/// Minimax Search Algorithm). Two keys may take the same place: that costs time only. A default one has no place, for a single thread, which
/// must not use it.
#[derive(Debug, Default)]
pub struct InProgress {
    /// 0 for none.
    marks: Box<[AtomicU64]>,
}

impl InProgress {
    /// Of no position.
    pub fn new() -> InProgress {
        InProgress { marks: (0..MARKS).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The place of a key, and its mark, which is never 0.
    #[inline(always)]
    fn place(&self, key: u64) -> (&AtomicU64, u64) {
        let mark = key | 1;
        (&self.marks[(mark >> 1) as usize % MARKS], mark)
    }

    /// Whether a thread is searching the position.
    #[inline(always)]
    pub fn has(&self, key: u64) -> bool {
        let (place, mark) = self.place(key);
        place.load(Relaxed) == mark
    }

    /// Marks a position as being searched.
    #[inline(always)]
    pub fn enter(&self, key: u64) {
        let (place, mark) = self.place(key);
        place.store(mark, Relaxed);
    }

    /// Removes the mark.
    #[inline(always)]
    pub fn leave(&self, key: u64) {
        let (place, mark) = self.place(key);
        if place.load(Relaxed) == mark {
            place.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_there_from_its_beginning_to_its_end() {
        let searched = InProgress::new();
        // Equal in the bits of the place.
        let (key, other) = (0x1234_5678_0000_0def, 0x5678_1234_0000_0def);
        assert!(!searched.has(0) && !searched.has(key));
        searched.enter(key);
        assert!(searched.has(key) && !searched.has(other));
        // Another one in the same place removes it.
        searched.enter(other);
        searched.leave(key);
        assert!(!searched.has(key) && searched.has(other));
        searched.leave(other);
        assert!(!searched.has(other));
    }
}
