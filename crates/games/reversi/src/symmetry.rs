//! Squares by row and column, and as the symmetries of the board map them: eight for a square board, four otherwise.

use std::ops::Range;

use banyan_bits::Bits;
use banyan_core::Symmetry;

use super::Reversi;
use super::lines::stride;

/// Bits of a [`Symmetry`]'s number; the diagonal is applied last.
const MIRROR_COLUMNS: u8 = 1;
const MIRROR_ROWS: u8 = 2;
const SWAP_ROWS_AND_COLUMNS: u8 = 4;

/// The bit of the square in this row and column, both counted from 0 at the top left.
#[inline]
pub(super) fn square_at<B: Bits>(row: u32, column: u32) -> u32 {
    row * stride::<B>() + column
}

/// Row and column of a square.
#[inline]
pub(super) fn row_and_column<B: Bits>(square: u32) -> (u32, u32) {
    (square / stride::<B>(), square % stride::<B>())
}

/// The squares where these rows and columns meet.
pub(super) fn area<B: Bits>(rows: Range<u32>, columns: Range<u32>) -> B {
    let squares = rows.flat_map(|row| columns.clone().map(move |column| square_at::<B>(row, column)));
    squares.fold(B::EMPTY, |set, square| set.or(B::single(square)))
}

impl<B: Bits> Reversi<B> {
    pub(super) fn board_symmetries(&self) -> u8 {
        if self.shape.rows() == self.shape.columns() { 8 } else { 4 }
    }

    pub(super) fn map_square(&self, square: u32, Symmetry(symmetry): Symmetry) -> u32 {
        let (mut row, mut column) = row_and_column::<B>(square);
        if symmetry & MIRROR_COLUMNS != 0 {
            column = self.shape.columns() - 1 - column;
        }
        if symmetry & MIRROR_ROWS != 0 {
            row = self.shape.rows() - 1 - row;
        }
        if symmetry & SWAP_ROWS_AND_COLUMNS != 0 {
            (row, column) = (column, row);
        }
        square_at::<B>(row, column)
    }
}
