//! Tables of a board for the strategies that the exact solver and searches follow to the end.

use super::Grid;

/// Cells by their places in their columns.
#[derive(Clone, Debug)]
pub(crate) struct Strategies<B> {
    /// The cells with an odd number of cells from there to the top of their column, holes aside: the side that plays the last stone of a
    /// full board gets them by following up on the whole board.
    pub(crate) last_cells: B,
    /// `[bits]`: for each cell that has one below it, that one, the cell itself and all above them; else none.
    pub(crate) tops: Vec<B>,
}

impl<B: Grid> Strategies<B> {
    /// Of a board of these `cells`; `late_first` are those that the first side gets by parity, `columns` those of each column.
    pub(crate) fn new(cells: B, late_first: B, columns: &[B]) -> Strategies<B> {
        // Of a board with an odd number of cells the first side plays the last stone.
        let last_cells = if cells.count().is_multiple_of(2) { cells.and_not(late_first) } else { late_first };
        let mut tops = vec![B::EMPTY; B::WIDTH as usize];
        for column in columns {
            let bits: Vec<u32> = column.ones().collect();
            for (i, &bit) in bits.iter().enumerate().skip(1) {
                tops[bit as usize] = bits[i - 1..].iter().fold(B::EMPTY, |top, &bit| top.or(B::single(bit)));
            }
        }
        Strategies { last_cells, tops }
    }
}
