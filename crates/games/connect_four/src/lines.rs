//! Lines of four found cell by cell: for pictures, texts and tests.

use super::shape::DIRECTIONS;
use super::{ConnectFour, Grid, Place};

impl<B: Grid> ConnectFour<B> {
    /// The stones that are part of four or more in a line.
    pub(super) fn lines(&self, stones: B) -> B {
        let mut in_line = B::EMPTY;
        for place in self.shape.places() {
            for (columns, rows) in DIRECTIONS {
                let bits: [_; 4] = std::array::from_fn(|i| self.bit_at(place, columns * i as i32, rows * i as i32));
                if bits.iter().all(|bit| bit.is_some_and(|bit| stones.has(bit))) {
                    in_line = bits.iter().flatten().fold(in_line, |set, &bit| set.or(B::single(bit)));
                }
            }
        }
        in_line
    }

    /// The bit of the cell `columns` and `rows` away from `place`, if that is on the board.
    fn bit_at(&self, place: Place, columns: i32, rows: i32) -> Option<u32> {
        let there = place.away(columns, rows)?;
        self.shape.contains(there).then(|| self.shape.bit(there))
    }
}
