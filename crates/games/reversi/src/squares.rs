//! Squares of a board word by row and column.

use std::ops::Range;

use banyan_bits::Bits;

use super::lines::stride;

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
