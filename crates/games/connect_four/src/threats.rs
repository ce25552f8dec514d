//! The threat map: the cells that would complete four for either side, and the next cells of every column.

use super::{ConnectFour, Grid, State};

/// The threat map of a position. Cells are numbered as by [`Shape::bit`](super::Shape::bit).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threats<B> {
    /// Free cells that complete four for the side to move, whether or not a stone can land there yet.
    pub own: B,
    /// Free cells that complete four for the other side.
    pub other: B,
    /// The landing cells of the next, second and third stone of each column, past holes; none in full columns.
    pub landing: [B; 3],
}

impl<B: Grid> ConnectFour<B> {
    /// The threat map of `state`.
    #[inline(always)]
    pub fn threats(&self, state: &State<B>) -> Threats<B> {
        let first = self.landing(state.filled);
        let with_first = state.filled.or(first);
        let second = self.landing(with_first);
        let third = self.landing(with_first.or(second));
        let free = |wins: B| wins.and_not(state.filled);
        Threats {
            own: free(self.completions(state.own)),
            other: free(self.completions(self.others(state))),
            landing: [first, second, third],
        }
    }

    /// The cells of the board that would complete four with `stones`, whether or not a stone can land there; stones
    /// may be among them.
    #[inline(always)]
    pub(super) fn completions(&self, stones: B) -> B {
        stones.completions(&self.steps).and(self.valid)
    }

    /// The cells right below those of `cells`, past holes: the stone after one there lands on `cells`.
    #[inline(always)]
    pub(super) fn below(&self, cells: B) -> B {
        let mut sunk = cells;
        for _ in 0..self.highest_pile {
            sunk = sunk.or(sunk.down(1).and(self.holes));
        }
        sunk.down(1)
    }
}
