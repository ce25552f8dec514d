//! The words of nodes that several threads read and write at once.
//!
//! Counts are added to and never lost. Bounds only narrow, one word for both, and a flag that says what follows from them is
//! set after them. A mean follows from what lies below, so it is enough that the last word on it is a recent one. Whatever
//! else a node says is written before any handle leads to it.

use std::mem::MaybeUninit;

use super::sync::{AtomicU32, Ordering};
use crate::tree::layout::{self, HEAD, LEN, PRUNED, SLOT, TRIED_SHIFT, head};

/// Visits and mean, as they are and as they were when they were last alike here and there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) before: (u32, f32),
    pub(crate) after: (u32, f32),
}

/// An edge of a shared node: where the node's words begin, how many children it has, and which of them.
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

/// The words of all nodes, and of rooms for new ones. Those of a room are not there yet until a thread takes it.
#[derive(Debug)]
pub(crate) struct Words(pub(super) Vec<MaybeUninit<AtomicU32>>);

impl Words {
    #[inline(always)]
    fn word(&self, at: usize) -> &AtomicU32 {
        // SAFETY: a word is read or written only where a handle or a room of one's own leads; whoever takes a room writes all
        // its words first, and handles lead to nodes cut from rooms taken.
        unsafe { self.0[at].assume_init_ref() }
    }

    /// So many words from `at` on.
    #[inline(always)]
    pub(super) fn words(&self, at: usize, n: usize) -> &[AtomicU32] {
        let words = &self.0[at..at + n];
        // SAFETY: as for one word; `MaybeUninit` has the layout of what it may hold.
        unsafe { &*(std::ptr::from_ref(words) as *const [AtomicU32]) }
    }

    /// A word of a node's head.
    #[inline(always)]
    pub(crate) fn head(&self, base: usize, word: usize) -> u32 {
        self.word(base + word).load(Ordering::Relaxed)
    }

    /// Sets a word of a node's head on which nothing else depends.
    #[inline(always)]
    pub(crate) fn set_head(&self, base: usize, word: usize, to: u32) {
        self.word(base + word).store(to, Ordering::Relaxed);
    }

    /// A node's key. Where a handle may name a node that is there no more, whatever else was written before this key may be
    /// read then.
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

    /// The numbers of children and of those tried, and the flags. What the flags say of the bounds holds of bounds read
    /// later.
    #[inline(always)]
    pub(crate) fn children(&self, base: usize) -> u32 {
        self.word(base + head::CHILDREN).load(Ordering::SeqCst)
    }

    /// Takes the next untried child, number `tried`; `false` if another has taken it.
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

    /// Adds visits to a node; returns how many there are now.
    #[inline(always)]
    pub(crate) fn add_visits(&self, base: usize, visits: u32) -> u32 {
        self.word(base + head::VISITS).fetch_add(visits, Ordering::Relaxed) + visits
    }

    /// The handle of the node an edge leads to, whose words may be read then; 0 for none.
    #[inline(always)]
    pub(crate) fn child(&self, place: Place) -> u32 {
        self.word(place.at(layout::CHILDREN)).load(Ordering::Acquire)
    }

    /// Has an edge that leads to `old` lead to a node all of whose words are written.
    ///
    /// # Errors
    /// Where another has had it lead elsewhere: there.
    pub(crate) fn link(&self, place: Place, old: u32, handle: u32) -> Result<(), u32> {
        let word = self.word(place.at(layout::CHILDREN));
        word.compare_exchange(old, handle, Ordering::AcqRel, Ordering::Acquire).map(|_| ())
    }

    /// Has an edge lead to a node all of whose words are written, unless it leads to one that `is_it` recognises. What was
    /// there before may have been recycled since.
    ///
    /// # Errors
    /// Where it leads to another node of the same position: there.
    pub(crate) fn link_unless(&self, place: Place, handle: u32, is_it: impl Fn(u32) -> bool) -> Result<(), u32> {
        let mut old = self.child(place);
        // A new node may lie where the same position lay before it was recycled: then an old handle is the new one.
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

    /// Adds what changed at an edge to what is here, and returns what is here then.
    ///
    /// The mean of a leaf is that of rewards, all of which count. That of a node follows from what lies below it: where
    /// both sides have changed it both may have learnt the same, so it stays between what either says. Visits and mean are
    /// two words, between which another may come: what follows is brought `within` what is possible.
    #[inline(always)]
    pub(crate) fn add(&self, place: Place, change: Change, within: impl Fn(f32) -> f32) -> (u32, f32) {
        let Change { before, after } = change;
        let new = after.0 - before.0;
        let word = self.word(place.at(layout::VISITS));
        let here = if new > 0 { word.fetch_add(new, Ordering::Relaxed) } else { word.load(Ordering::Relaxed) };
        let here = here & !PRUNED;
        let word = self.word(place.at(layout::MEANS));
        let mut mean = word.load(Ordering::Relaxed);
        if after.1.to_bits() == before.1.to_bits() && new == 0 {
            return (here, f32::from_bits(mean));
        }
        loop {
            if here == before.0 && mean == before.1.to_bits() {
                // A write that gets lost in between is one of a mean a moment old.
                word.store(after.1.to_bits(), Ordering::Relaxed);
                return (here + new, after.1);
            }
            let both = {
                let (sum, theirs) = (together(before, after, (here, f32::from_bits(mean))), f32::from_bits(mean));
                let is_leaf = self.child(place) == 0;
                if is_leaf { within(sum) } else { sum.clamp(theirs.min(after.1), theirs.max(after.1)) }
            };
            match word.compare_exchange_weak(mean, both.to_bits(), Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return (here + new, both),
                Err(other) => mean = other,
            }
        }
    }

    /// Marks an edge as closed.
    pub(crate) fn prune(&self, place: Place) {
        self.word(place.at(layout::VISITS)).fetch_or(PRUNED, Ordering::Relaxed);
    }

    /// Bounds of an edge. In one order with all narrowing: of two threads that narrow two edges of a node and look at all
    /// edges afterwards, one at least sees both.
    pub(crate) fn edge_bounds(&self, place: Place) -> u32 {
        self.word(place.at(layout::BOUNDS)).load(Ordering::SeqCst)
    }

    /// Bounds of a node, likewise: of one who narrows them and looks which children are tried, and one who claims a child and
    /// looks at the bounds, one at least sees what the other did.
    pub(crate) fn bounds(&self, base: usize) -> u32 {
        self.word(base + head::BOUNDS).load(Ordering::SeqCst)
    }

    /// Narrows the bounds of an edge to what `intersect` makes of them; returns them.
    pub(crate) fn tighten_edge(&self, place: Place, intersect: impl Fn(u32) -> u32) -> u32 {
        self.tighten(place.at(layout::BOUNDS), intersect)
    }

    /// The same for the bounds of a node.
    pub(crate) fn tighten_node(&self, base: usize, intersect: impl Fn(u32) -> u32) -> u32 {
        self.tighten(base + head::BOUNDS, intersect)
    }

    /// Sets flags that say what follows from bounds already narrowed.
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

    /// Marks what begins at a slot, for whoever walks over the arena later.
    pub(crate) fn mark(&self, slot: usize, word: u32) {
        self.set_head(slot * SLOT, head::CHILDREN, word);
    }
}

/// The mean of rewards of which some were new to one side and some to the other: as if each mean were that of all rewards
/// its side knows, and `before` that of those both know.
#[cold]
fn together(before: (u32, f32), after: (u32, f32), here: (u32, f32)) -> f32 {
    let sum = |(visits, mean): (u32, f32)| f64::from(visits) * f64::from(mean);
    let visits = f64::from(after.0) - f64::from(before.0) + f64::from(here.0);
    if visits > 0.0 { ((sum(after) - sum(before) + sum(here)) / visits) as f32 } else { after.1 }
}
