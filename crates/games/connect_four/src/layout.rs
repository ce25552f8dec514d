//! Two board layouts for playouts: one word of cells, or sixteen columns of 16 bits side by side.
//!
//! Columns take few shifts, as the neighbours of a cell to the left and right are in other columns, and a rule is
//! tested by one bit per column; but their number is the same on a small board. In M playouts/s on an Intel Xeon, one
//! after another with AVX2, two at a time compiled for AVX-512:
//!
//! | board | one after another by words | by columns | two at a time by words | by columns |
//! |---|---|---|---|---|
//! | 6x7 | 3.8 | 1.9 | 3.6 | |
//! | 9x9 | 1.74 | 1.63 | 1.29 | 1.95 |
//! | 12x12 | 1.0 | 1.47 | | 1.8 |
//! | 15x16 | 0.75 | 1.45 | | 1.8 |

use banyan_bits::Bits;
use banyan_bits::cpu::{SHORTS, U16x16, select_single_bit, u16x16};

use super::packing::{ColumnPacking, columns};
use super::{ConnectFour, Grid, State};

/// A board layout for playouts.
pub(super) trait BoardLayout<B>: Copy {
    /// A set of cells.
    type Cells: Copy;
    /// A set of columns.
    type Columns: Bits;

    /// Stones of the side to move, stones of the other side, and all stones and holes.
    fn load(&self, state: &State<B>) -> [Self::Cells; 3];
    /// The cells of these columns, bit 0 the lowest row.
    fn store(&self, columns: &[u16; SHORTS]) -> Self::Cells;
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

/// Whether single playouts are faster by columns than by words. The layout changes no result.
#[inline(always)]
pub(super) const fn prefers_columns_alone<B: Grid>() -> bool {
    u16x16::IS_FAST && B::WIDTH > 128
}

/// Whether playouts two at a time are faster by columns than by words.
#[inline(always)]
pub(super) const fn prefers_columns_in_pairs<B: Grid>() -> bool {
    u16x16::IS_FAST && B::WIDTH > 64
}

/// The board as a word. Columns are sets of landing cells.
#[derive(Clone, Copy)]
pub(super) struct WordLayout<'a, B> {
    pub(super) game: &'a ConnectFour<B>,
}

impl<B: Grid> BoardLayout<B> for WordLayout<'_, B> {
    type Cells = B;
    type Columns = B;

    #[inline(always)]
    fn load(&self, state: &State<B>) -> [B; 3] {
        [state.own, self.game.others(state), state.filled]
    }
    #[inline(always)]
    fn store(&self, columns: &[u16; SHORTS]) -> B {
        self.game.packing.pack(columns)
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
        columns.select_single(rank)
    }
}

/// The board as columns side by side.
#[derive(Clone, Copy)]
pub(super) struct ColumnLayout<'a> {
    packing: &'a ColumnPacking,
    /// Cells that are no holes.
    valid: U16x16,
    holes: U16x16,
    /// The lowest cell of every column.
    bottom: U16x16,
}

impl<'a> ColumnLayout<'a> {
    #[inline(always)]
    pub(super) fn new(packing: &'a ColumnPacking) -> ColumnLayout<'a> {
        let (valid, holes) = (U16x16::from_array(&packing.valid()), U16x16::from_array(&packing.holes()));
        ColumnLayout { packing, valid, holes, bottom: U16x16::from_array(&[1; _]) }
    }

    /// The cells right above `cells`, past adjacent holes.
    #[inline(always)]
    fn above(&self, cells: U16x16) -> U16x16 {
        (cells + cells + self.holes) & self.valid
    }
}

impl<B: Grid> BoardLayout<B> for ColumnLayout<'_> {
    type Cells = U16x16;
    type Columns = u64;

    #[inline(always)]
    fn load(&self, state: &State<B>) -> [U16x16; 3] {
        let [own, enemy, filled] = self.packing.unpack(state.own, state.filled);
        [own, enemy, filled].map(|fours| U16x16::from_array(&columns(&fours)))
    }
    #[inline(always)]
    fn store(&self, columns: &[u16; SHORTS]) -> U16x16 {
        U16x16::from_array(columns)
    }
    #[inline(always)]
    fn both(a: U16x16, b: U16x16) -> U16x16 {
        a & b
    }
    #[inline(always)]
    fn either(a: U16x16, b: U16x16) -> U16x16 {
        a | b
    }
    #[inline(always)]
    fn is_empty(cells: U16x16) -> bool {
        cells.is_zero()
    }
    #[inline(always)]
    fn completions(&self, stones: U16x16) -> U16x16 {
        // Three stones of the six nearest on a line.
        let line = |[a, b, c, d, e, f]: [U16x16; 6]| (b & c & (a | d)) | (d & e & (c | f));
        let [a, b, c] = [stones.forth::<3>(), stones.forth::<2>(), stones.forth::<1>()];
        let [d, e, f] = [stones.back::<1>(), stones.back::<2>(), stones.back::<3>()];
        let level = line([a, b, c, d, e, f]);
        let rising = line([a.up::<3>(), b.up::<2>(), c.up::<1>(), d.down::<1>(), e.down::<2>(), f.down::<3>()]);
        let falling = line([a.down::<3>(), b.down::<2>(), c.down::<1>(), d.up::<1>(), e.up::<2>(), f.up::<3>()]);
        let upright = stones.up::<1>() & stones.up::<2>() & stones.up::<3>();
        level | rising | falling | upright
    }
    #[inline(always)]
    fn landing(&self, filled: U16x16) -> U16x16 {
        (filled + self.bottom) & self.valid
    }
    #[inline(always)]
    fn second(&self, _filled: U16x16, landing: U16x16) -> U16x16 {
        self.above(landing)
    }
    #[inline(always)]
    fn columns(&self, landing: U16x16) -> u64 {
        landing.meets(landing).into()
    }
    #[inline(always)]
    fn columns_under(&self, second: U16x16) -> u64 {
        second.meets(second).into()
    }
    #[inline(always)]
    fn columns_far_under(&self, second: U16x16, cells: U16x16) -> u64 {
        self.above(second).meets(cells).into()
    }
    #[inline(always)]
    fn cell(&self, landing: U16x16, columns: u64, rank: u32) -> U16x16 {
        landing.only(select_single_bit(columns, rank) as u32)
    }
}
