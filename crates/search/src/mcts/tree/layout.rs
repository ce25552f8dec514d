//! The memory layout of a node.
//!
//! A node is a head of twelve words and, behind it, four arrays with one word for each child, in the order of the
//! children. All offsets but the number of children are constants: with offsets read from memory simulations took some
//! 3 % longer. What only some settings need is in further arrays behind those four (`columns`).

/// Words of a slot, the unit of allocation: those of one edge.
pub(crate) const SLOT: usize = 4;
/// Slots of the head.
pub(crate) const HEAD_SLOTS: usize = 3;
/// Words of the head.
pub(crate) const HEAD: usize = HEAD_SLOTS * SLOT;

/// Words of the head.
pub(crate) mod head {
    /// Mean reward of the evaluations of the position itself, from here on, seen by the first side.
    pub(crate) const OWN_MEAN: usize = 0;
    /// Their number.
    pub(crate) const OWN_VISITS: usize = 1;
    /// Number of children, number of those tried, and flags.
    pub(crate) const CHILDREN: usize = 2;
    /// Lower half of the key.
    pub(crate) const KEY_LOW: usize = 3;
    /// Upper half of the key.
    pub(crate) const KEY_HIGH: usize = 4;
    /// Time of the last visit, in nodes made since the beginning.
    pub(crate) const STAMP: usize = 5;
    /// Proven bounds of the margin from here on.
    pub(crate) const BOUNDS: usize = 6;
    /// All visits, if nodes are shared.
    pub(crate) const VISITS: usize = 7;
    /// Logarithm of the visits, times a constant, if nodes are shared.
    pub(crate) const EXPLORATION: usize = 8;
    /// Mean reward, if mean squares are kept.
    pub(crate) const VALUE: usize = 9;
    /// Mean square of the evaluations of the position itself, if kept.
    pub(crate) const OWN_SQUARES: usize = 10;
    /// Mean square of all rewards, if kept.
    pub(crate) const SQUARES: usize = 11;
}

/// A node has fewer children than this.
pub(crate) const MOST_CHILDREN: usize = 1 << TRIED_SHIFT;
/// Mask of the number of children in its word, and shift of the number of tried ones.
pub(crate) const LEN: u32 = MOST_CHILDREN as u32 - 1;
pub(crate) const TRIED_SHIFT: u32 = 14;
/// Flags of that word: the bounds leave a single reward; the bounds have been tightened since the node was made; free
/// slots, not a node.
pub(crate) const SOLVED: u32 = 1 << 31;
pub(crate) const TIGHTENED: u32 = 1 << 30;
pub(crate) const FREE: u32 = 1 << 29;
/// Flag of a pruned edge, in its visits.
pub(crate) const PRUNED: u32 = 1 << 31;

/// Arrays of the edges: visits, mean reward, handle of the child, proven bounds.
pub(crate) const VISITS: usize = 0;
pub(crate) const MEANS: usize = 1;
pub(crate) const CHILDREN: usize = 2;
pub(crate) const BOUNDS: usize = 3;
/// Their number: arrays of optional columns follow.
pub(crate) const FIXED: usize = 4;

/// Entries of a bucket of the node table: together one cache line.
pub(crate) const ENTRIES: usize = 8;

/// The bucket of a tag among `buckets`, in a round of splits that began with `round` buckets: those below the next one
/// to be split have been split already.
#[inline(always)]
pub(crate) fn bucket_of(tag: u32, round: usize, buckets: usize) -> usize {
    let wide = tag as usize & (2 * round - 1);
    if wide < buckets { wide } else { wide - round }
}

/// Slots of a node with `len` children and arrays of `columns` optional columns.
#[inline(always)]
pub(crate) fn slots_of(len: usize, columns: usize) -> usize {
    HEAD_SLOTS + (len * (FIXED + columns)).div_ceil(SLOT)
}
