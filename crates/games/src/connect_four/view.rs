//! Two ways for a playout to see the board: as one word of cells, or as sixteen columns of 16 bits side by side.
//!
//! Columns take few shifts, as what lies left and right of a cell is in other columns, and what decides between the
//! rules is a bit each; but they are as many on a small board. In M playouts/s on an Intel Xeon, one after another with
//! AVX2, two at a time compiled for AVX-512:
//!
//! | board | one after another by words | by columns | two at a time by words | by columns |
//! |---|---|---|---|---|
//! | 6x7 | 3.8 | 1.9 | 3.6 | |
//! | 9x9 | 1.74 | 1.63 | 1.29 | 1.95 |
//! | 12x12 | 1.0 | 1.47 | | 1.8 |
//! | 15x16 | 0.75 | 1.45 | | 1.8 |

use banyan_core::bits::Bits;
use banyan_core::cpu::{Isa, SHORTS, Shorts};

use super::dealing::{Dealing, columns};
use super::{ConnectFour, Grid, State};

/// How a playout sees the board.
pub(super) trait View<B>: Copy {
    /// A set of cells.
    type Cells: Copy;
    /// A set of columns.
    type Columns: Bits;

    /// Stones of the side to move, stones of the other side, and all stones and holes.
    fn deal(&self, state: &State<B>) -> [Self::Cells; 3];
    /// The cells of these columns, bit 0 the lowest row.
    fn gather(&self, columns: &[u16; SHORTS]) -> Self::Cells;
    /// The cells of both sets.
    fn both(a: Self::Cells, b: Self::Cells) -> Self::Cells;
    /// The cells of either set.
    fn either(a: Self::Cells, b: Self::Cells) -> Self::Cells;
    /// Whether there are no cells in the set.
    fn is_empty(cells: Self::Cells) -> bool;
    /// The cells that complete four with `stones`; stones, holes and cells off the board may be among them.
    fn completions(&self, stones: Self::Cells) -> Self::Cells;
    /// The cells where the next stone may land.
    fn landing(&self, filled: Self::Cells) -> Self::Cells;
    /// The cells where the stone after the next one of a column may land.
    fn second(&self, filled: Self::Cells, landing: Self::Cells) -> Self::Cells;
    /// The columns of some landing cells.
    fn columns(&self, landing: Self::Cells) -> Self::Columns;
    /// The columns of some second cells.
    fn columns_under(&self, second: Self::Cells) -> Self::Columns;
    /// The columns of some second cells that have one of `cells` above them, past holes.
    fn columns_far_under(&self, second: Self::Cells, cells: Self::Cells) -> Self::Columns;
    /// The landing cell of the column that has `rank` others of `columns` before it.
    fn cell(&self, landing: Self::Cells, columns: Self::Columns, rank: u32) -> Self::Cells;
}

/// Whether columns are quicker than words one after another. The view changes no result.
#[inline(always)]
pub(super) const fn sees_columns_alone<B: Grid, I: Isa>() -> bool {
    I::HAS_SHORTS && B::WIDTH > 128
}

/// Whether columns are quicker than words two at a time.
#[inline(always)]
pub(super) const fn sees_columns_in_pairs<B: Grid, I: Isa>() -> bool {
    I::HAS_SHORTS && B::WIDTH > 64
}

/// The board as a word. Columns are sets of landing cells.
#[derive(Clone, Copy)]
pub(super) struct ByWord<'a, B, I> {
    pub(super) game: &'a ConnectFour<B>,
    pub(super) isa: I,
}

impl<B: Grid, I: Isa> View<B> for ByWord<'_, B, I> {
    type Cells = B;
    type Columns = B;

    #[inline(always)]
    fn deal(&self, state: &State<B>) -> [B; 3] {
        [state.own, self.game.others(state), state.filled]
    }
    #[inline(always)]
    fn gather(&self, columns: &[u16; SHORTS]) -> B {
        self.game.dealing.gather(columns)
    }
    #[inline(always)]
    fn both(a: B, b: B) -> B {
        a.and(b)
    }
    #[inline(always)]
    fn either(a: B, b: B) -> B {
        a.or(b)
    }
    #[inline(always)]
    fn is_empty(cells: B) -> bool {
        cells.is_empty()
    }
    #[inline(always)]
    fn completions(&self, stones: B) -> B {
        stones.completions(&self.game.steps)
    }
    #[inline(always)]
    fn landing(&self, filled: B) -> B {
        self.game.landing(filled)
    }
    #[inline(always)]
    fn second(&self, filled: B, landing: B) -> B {
        self.game.landing(filled.or(landing))
    }
    #[inline(always)]
    fn columns(&self, landing: B) -> B {
        landing
    }
    #[inline(always)]
    fn columns_under(&self, second: B) -> B {
        self.game.below(second)
    }
    #[inline(always)]
    fn columns_far_under(&self, second: B, cells: B) -> B {
        self.game.below(second.and(self.game.below(cells.and(self.game.valid))))
    }
    #[inline(always)]
    fn cell(&self, _landing: B, columns: B, rank: u32) -> B {
        columns.select_single(self.isa, rank)
    }
}

/// The board as columns side by side.
#[derive(Clone, Copy)]
pub(super) struct ByColumns<'a, I: Isa> {
    dealing: &'a Dealing,
    isa: I,
    /// Cells that are no holes.
    valid: I::Shorts,
    holes: I::Shorts,
    /// The lowest cell of every column.
    bottom: I::Shorts,
}

impl<'a, I: Isa> ByColumns<'a, I> {
    #[inline(always)]
    pub(super) fn new(dealing: &'a Dealing, isa: I) -> ByColumns<'a, I> {
        let (valid, holes) = (isa.shorts(&dealing.valid()), isa.shorts(&dealing.holes()));
        ByColumns { dealing, isa, valid, holes, bottom: isa.shorts(&[1; _]) }
    }

    /// The cells right above `cells`, past the pile of holes that begins there.
    #[inline(always)]
    fn above(&self, cells: I::Shorts) -> I::Shorts {
        cells.plus(cells).plus(self.holes).and(self.valid)
    }
}

impl<B: Grid, I: Isa> View<B> for ByColumns<'_, I> {
    type Cells = I::Shorts;
    type Columns = u64;

    #[inline(always)]
    fn deal(&self, state: &State<B>) -> [I::Shorts; 3] {
        let [own, enemy, filled] = self.dealing.deal(state);
        [self.isa.shorts(&columns(&own)), self.isa.shorts(&columns(&enemy)), self.isa.shorts(&columns(&filled))]
    }
    #[inline(always)]
    fn gather(&self, columns: &[u16; SHORTS]) -> I::Shorts {
        self.isa.shorts(columns)
    }
    #[inline(always)]
    fn both(a: I::Shorts, b: I::Shorts) -> I::Shorts {
        a.and(b)
    }
    #[inline(always)]
    fn either(a: I::Shorts, b: I::Shorts) -> I::Shorts {
        a.or(b)
    }
    #[inline(always)]
    fn is_empty(cells: I::Shorts) -> bool {
        cells.is_zero()
    }
    #[inline(always)]
    fn completions(&self, stones: I::Shorts) -> I::Shorts {
        // Three stones of the six nearest on a line.
        let line = |[a, b, c, d, e, f]: [I::Shorts; 6]| b.and(c).and(a.or(d)).or(d.and(e).and(c.or(f)));
        let [a, b, c] = [stones.forth::<3>(), stones.forth::<2>(), stones.forth::<1>()];
        let [d, e, f] = [stones.back::<1>(), stones.back::<2>(), stones.back::<3>()];
        let level = line([a, b, c, d, e, f]);
        let rising = line([a.up::<3>(), b.up::<2>(), c.up::<1>(), d.down::<1>(), e.down::<2>(), f.down::<3>()]);
        let falling = line([a.down::<3>(), b.down::<2>(), c.down::<1>(), d.up::<1>(), e.up::<2>(), f.up::<3>()]);
        let upright = stones.up::<1>().and(stones.up::<2>()).and(stones.up::<3>());
        level.or(rising).or(falling.or(upright))
    }
    #[inline(always)]
    fn landing(&self, filled: I::Shorts) -> I::Shorts {
        filled.plus(self.bottom).and(self.valid)
    }
    #[inline(always)]
    fn second(&self, _filled: I::Shorts, landing: I::Shorts) -> I::Shorts {
        self.above(landing)
    }
    #[inline(always)]
    fn columns(&self, landing: I::Shorts) -> u64 {
        landing.meets(landing).into()
    }
    #[inline(always)]
    fn columns_under(&self, second: I::Shorts) -> u64 {
        second.meets(second).into()
    }
    #[inline(always)]
    fn columns_far_under(&self, second: I::Shorts, cells: I::Shorts) -> u64 {
        self.above(second).meets(cells).into()
    }
    #[inline(always)]
    fn cell(&self, landing: I::Shorts, columns: u64, rank: u32) -> I::Shorts {
        landing.only(self.isa.select_single(columns, rank) as u32)
    }
}
