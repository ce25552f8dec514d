//! A position of the search.

/// A position that is not over, in which the side to move has no win at once and a move after which the other side has none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<B> {
    /// Stones of the side to move.
    pub(super) own: B,
    /// Stones of the other side.
    pub(super) other: B,
    /// Free cells that complete four for the side to move.
    pub(super) own_wins: B,
    /// Free cells that complete four for the other side.
    pub(super) other_wins: B,
    /// The landing cells after which the other side has no win at once.
    pub(super) moves: B,
}

/// Points of the side that completes four and leaves `free` cells free.
#[inline(always)]
pub(super) fn points(free: u32) -> i32 {
    1 + (free / 2) as i32
}
