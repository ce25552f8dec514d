//! The words of nodes that several threads read and write.
//!
//! Counts are added atomically. Bounds are only tightened, both in one word, and a flag that follows from them is set
//! after them. A mean is recomputed from below, so it is enough that the last write is a recent one. Everything else of
//! a node is written before any handle to it is published.

use std::mem::MaybeUninit;

use super::sync::{AtomicU32, Ordering};
use crate::mcts::tree::layout::{self, HEAD, LEN, PRUNED, SLOT, TRIED_SHIFT, head};

/// Visits and mean now, and at the last merge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) before: (u32, f32),
    pub(crate) after: (u32, f32),
}

/// An edge of a shared node: the node's first word, its number of children, and the index of the child.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) base: usize,
    pub(crate) len: usize,
    pub(crate) index: usize,
}

impl Place {
    #[inline(always)]
    pub(super) fn at(self, array: usize) -> usize {
        debug_assert!(self.index < self.len, "no child has this number: {self:?}");
        self.base + HEAD + array * self.len + self.index
    }
}

/// The words of all nodes, and of chunks for new ones. Those of a chunk are uninitialised until a thread takes it.
#[derive(Debug)]
pub(crate) struct Words(pub(super) Vec<MaybeUninit<AtomicU32>>);

impl Words {
    #[inline(always)]
    fn word(&self, at: usize) -> &AtomicU32 {
        // SAFETY: a word is accessed only through a handle or in the thread's own chunk; a thread that takes a chunk
        // writes all its words first, and handles refer to nodes cut from such chunks.
        unsafe { self.0[at].assume_init_ref() }
    }

    /// `n` words from `at` on.
    #[inline(always)]
    pub(super) fn words(&self, at: usize, n: usize) -> &[AtomicU32] {
        let words = &self.0[at..at + n];
        // SAFETY: as for one word; `MaybeUninit` has the layout of its content.
        unsafe { &*(std::ptr::from_ref(words) as *const [AtomicU32]) }
    }

    /// A word of a node's head.
    #[inline(always)]
    pub(crate) fn head(&self, base: usize, word: usize) -> u32 {
        self.word(base + word).load(Ordering::Relaxed)
    }

    /// Sets a word of a node's head that orders no other access.
    #[inline(always)]
    pub(crate) fn set_head(&self, base: usize, word: usize, to: u32) {
        self.word(base + word).store(to, Ordering::Relaxed);
    }

    /// A node's key. Where a handle may refer to a recycled node, everything written before this key may be read after
    /// it.
    #[inline(always)]
    pub(crate) fn key(&self, base: usize) -> u64 {
        let [low, high] = [head::KEY_LOW, head::KEY_HIGH].map(|word| self.word(base + word).load(Ordering::Acquire));
        u64::from(low) | u64::from(high) << 32
    }

    /// Writes a node's key, after all its other words: an old handle may lead here.
    #[inline(always)]
    pub(crate) fn set_key(&self, base: usize, key: u64) {
        self.word(base + head::KEY_LOW).store(key as u32, Ordering::Release);
        self.word(base + head::KEY_HIGH).store((key >> 32) as u32, Ordering::Release);
    }

    /// The numbers of children and of tried ones, and the flags, which hold for bounds read later.
    #[inline(always)]
    pub(crate) fn children(&self, base: usize) -> u32 {
        self.word(base + head::CHILDREN).load(Ordering::SeqCst)
    }

    /// Claims the next untried child, number `tried`; `false` if another thread has claimed it.
    #[inline(always)]
    pub(crate) fn claim(&self, base: usize, tried: usize) -> bool {
        let word = self.word(base + head::CHILDREN);
        let mut now = word.load(Ordering::SeqCst);
        while (now >> TRIED_SHIFT & LEN) as usize == tried {
            let next = now + (1 << TRIED_SHIFT);
            match word.compare_exchange_weak(now, next, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return true,
                Err(other) => now = other,
            }
        }
        false
    }

    /// Adds visits to a node; returns the sum.
    #[inline(always)]
    pub(crate) fn add_visits(&self, base: usize, visits: u32) -> u32 {
        self.word(base + head::VISITS).fetch_add(visits, Ordering::Relaxed) + visits
    }

    /// The handle of the node an edge leads to, whose words may then be read; 0 for none.
    #[inline(always)]
    pub(crate) fn child(&self, place: Place) -> u32 {
        self.word(place.at(layout::CHILDREN)).load(Ordering::Acquire)
    }

    /// Links an edge from `old` to a node all of whose words are written.
    ///
    /// # Errors
    /// If it is no longer linked to `old`: the handle it is linked to.
    pub(crate) fn link(&self, place: Place, old: u32, handle: u32) -> Result<(), u32> {
        let word = self.word(place.at(layout::CHILDREN));
        word.compare_exchange(old, handle, Ordering::AcqRel, Ordering::Acquire).map(|_| ())
    }

    /// Links an edge to a node all of whose words are written, unless it is linked to one for which `is_it` holds. The
    /// node it was linked to before may have been recycled.
    ///
    /// # Errors
    /// If it is linked to another node of the same position: that node.
    pub(crate) fn link_unless(&self, place: Place, handle: u32, is_it: impl Fn(u32) -> bool) -> Result<(), u32> {
        let mut old = self.child(place);
        // A new node may have the slots that the same position had before it was recycled: then an old handle equals
        // the new one.
        while old != handle {
            if old != 0 && is_it(old) {
                return Err(old);
            }
            match self.link(place, old, handle) {
                Ok(()) => break,
                Err(other) => old = other,
            }
        }
        Ok(())
    }

    /// Visits of an edge.
    pub(crate) fn visits(&self, place: Place) -> u32 {
        self.word(place.at(layout::VISITS)).load(Ordering::Relaxed) & !PRUNED
    }

    /// Adds visits to an edge, whose values are not known yet.
    pub(crate) fn add_edge_visits(&self, place: Place, new: u32) {
        self.word(place.at(layout::VISITS)).fetch_add(new, Ordering::Relaxed);
    }

    /// Adds a thread's changes of an edge to its shared visits and mean, and returns the result. The mean of a leaf is
    /// brought `within` the possible.
    #[inline(always)]
    pub(crate) fn add(&self, place: Place, change: Change, within: impl Fn(f32) -> f32) -> (u32, f32) {
        let new = change.after.0 - change.before.0;
        let word = self.word(place.at(layout::VISITS));
        let here = if new > 0 { word.fetch_add(new, Ordering::Relaxed) } else { word.load(Ordering::Relaxed) };
        let here = here & !PRUNED;
        (here + new, self.add_mean(place, layout::MEANS, change, here, within))
    }

    /// Adds a thread's changes to a mean over the visits of an edge, which were `here` before its own were added, and
    /// returns the result.
    ///
    /// The mean of a leaf is that of all its rewards. That of a node follows from its children: if both sides have
    /// changed it, both may have counted the same visits, so the result stays between both means. Visits and mean are
    /// two words, and another thread may write between them, so the mean of a leaf is brought `within` the possible.
    #[inline(always)]
    pub(crate) fn add_mean(
        &self,
        place: Place,
        array: usize,
        change: Change,
        here: u32,
        within: impl Fn(f32) -> f32,
    ) -> f32 {
        let Change { before, after } = change;
        let word = self.word(place.at(array));
        let mut mean = word.load(Ordering::Relaxed);
        if after.1.to_bits() == before.1.to_bits() && after.0 == before.0 {
            return f32::from_bits(mean);
        }
        loop {
            if here == before.0 && mean == before.1.to_bits() {
                // A concurrent write that this overwrites is of a mean a moment old.
                word.store(after.1.to_bits(), Ordering::Relaxed);
                return after.1;
            }
            let both = {
                let (sum, theirs) = (together(before, after, (here, f32::from_bits(mean))), f32::from_bits(mean));
                let is_leaf = self.child(place) == 0;
                if is_leaf { within(sum) } else { sum.clamp(theirs.min(after.1), theirs.max(after.1)) }
            };
            match word.compare_exchange_weak(mean, both.to_bits(), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return both,
                Err(other) => mean = other,
            }
        }
    }

    /// Adds what a thread has added to a sum of an edge, and returns the result.
    pub(crate) fn add_sum(&self, place: Place, array: usize, before: f32, after: f32) -> f32 {
        let word = self.word(place.at(array));
        let mut now = word.load(Ordering::Relaxed);
        loop {
            let sum = f32::from_bits(now) + (after - before);
            if after == before {
                return sum;
            }
            match word.compare_exchange_weak(now, sum.to_bits(), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return sum,
                Err(other) => now = other,
            }
        }
    }

    /// Marks an edge as pruned.
    pub(crate) fn prune(&self, place: Place) {
        self.word(place.at(layout::VISITS)).fetch_or(PRUNED, Ordering::Relaxed);
    }

    /// Bounds of an edge. In one order with all tightening: of two threads that tighten two edges of a node and read
    /// all edges afterwards, one at least sees both.
    pub(crate) fn edge_bounds(&self, place: Place) -> u32 {
        self.word(place.at(layout::BOUNDS)).load(Ordering::SeqCst)
    }

    /// Bounds of a node, likewise: of a thread that tightens them and then reads which children are tried, and one that
    /// claims a child and then reads the bounds, one at least sees the other's write.
    pub(crate) fn bounds(&self, base: usize) -> u32 {
        self.word(base + head::BOUNDS).load(Ordering::SeqCst)
    }

    /// Tightens the bounds of an edge by `intersect`; returns them.
    pub(crate) fn tighten_edge(&self, place: Place, intersect: impl Fn(u32) -> u32) -> u32 {
        self.tighten(place.at(layout::BOUNDS), intersect)
    }

    /// Tightens the bounds of a node by `intersect`; returns them.
    pub(crate) fn tighten_node(&self, base: usize, intersect: impl Fn(u32) -> u32) -> u32 {
        self.tighten(base + head::BOUNDS, intersect)
    }

    /// Sets flags that follow from bounds already tightened.
    pub(crate) fn flag(&self, base: usize, flags: u32) {
        self.word(base + head::CHILDREN).fetch_or(flags, Ordering::Release);
    }

    fn tighten(&self, at: usize, intersect: impl Fn(u32) -> u32) -> u32 {
        let word = self.word(at);
        let mut now = word.load(Ordering::SeqCst);
        loop {
            let new = intersect(now);
            if new == now {
                return now;
            }
            match word.compare_exchange_weak(now, new, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => return new,
                Err(other) => now = other,
            }
        }
    }

    /// Marks the block that begins at a slot, for later walks over the arena.
    pub(crate) fn mark(&self, slot: usize, word: u32) {
        self.set_head(slot * SLOT, head::CHILDREN, word);
    }
}

/// The mean of all rewards, where both sides have added some: `before` is the mean of the rewards that both have.
#[cold]
fn together(before: (u32, f32), after: (u32, f32), here: (u32, f32)) -> f32 {
    let sum = |(visits, mean): (u32, f32)| f64::from(visits) * f64::from(mean);
    let visits = f64::from(after.0) - f64::from(before.0) + f64::from(here.0);
    if visits > 0.0 { ((sum(after) - sum(before) + sum(here)) / visits) as f32 } else { after.1 }
}
