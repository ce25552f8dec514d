//! The symmetries of the board: eight for a square board, four otherwise.

use banyan_bits::Bits;
use banyan_core::Symmetry;

use super::Reversi;
use super::squares::{row_and_column, square_at};

/// Bits of a [`Symmetry`]'s number; the diagonal is applied last.
const MIRROR_COLUMNS: u8 = 1;
const MIRROR_ROWS: u8 = 2;
const SWAP_ROWS_AND_COLUMNS: u8 = 4;

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
