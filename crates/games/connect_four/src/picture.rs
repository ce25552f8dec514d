//! The board as a picture.

use banyan_core::{Cell, Game, Picture};

use super::{ConnectFour, Grid, Place, State};

impl<B: Grid> ConnectFour<B> {
    /// The board after the move `last`, with columns labelled as moves print and rows numbered from the bottom.
    pub(super) fn board_picture(&self, state: &State<B>, last: Option<u8>) -> Picture {
        let (rows, columns) = (self.shape.rows(), self.shape.columns());
        let last = last.and_then(|mv| self.top_stone(state, u32::from(mv)));
        let winning = if state.won { self.lines(self.others(state)) } else { B::EMPTY };
        let landing = if self.result(state).is_none() { self.landing(state.filled) } else { B::EMPTY };
        let cell = |place: Place| {
            let bit = self.shape.bit(place);
            Cell {
                owner: self.owner(state, place),
                hole: self.shape.is_hole(place),
                last: last == Some(place),
                winning: winning.has(bit),
                legal: landing.has(bit),
            }
        };
        let from_top = || (0..rows).rev();
        let places = from_top().flat_map(|row| (0..columns).map(move |column| Place { column, row }));
        Picture {
            rows: rows as usize,
            columns: columns as usize,
            cells: places.map(cell).collect(),
            edges: None,
            column_labels: (1..=columns).map(|column| column.to_string()).collect(),
            row_labels: from_top().map(|row| (row + 1).to_string()).collect(),
        }
    }

    /// The place of a bit.
    pub(crate) fn place(&self, bit: u32) -> Place {
        let column = u32::from(self.column(bit));
        Place { column, row: bit - column * self.shape.stride() }
    }

    /// The index of a cell in the picture, which begins with the top row.
    pub(crate) fn picture_cell(&self, place: Place) -> usize {
        ((self.shape.rows() - 1 - place.row) * self.shape.columns() + place.column) as usize
    }

    /// The highest stone of a column, which is the last one played there.
    fn top_stone(&self, state: &State<B>, column: u32) -> Option<Place> {
        let places = (0..self.shape.rows()).rev().map(|row| Place { column, row });
        places.filter(|&place| self.shape.contains(place)).find(|&place| self.owner(state, place).is_some())
    }
}
