//! Positions as planes.

use banyan_bits::Bits;
use banyan_core::Planes;

use super::squares::{row_and_column, square_at};
use super::{Place, Reversi, Shape, State};

/// Reversi as planes of its squares. The outputs of a policy are the squares, row by row from the top, and then the pass.
pub struct BoardPlanes {
    shape: Shape,
}

impl BoardPlanes {
    /// The planes of this board.
    pub fn new<B: Bits>(game: &Reversi<B>) -> BoardPlanes {
        BoardPlanes { shape: game.shape }
    }
}

impl<B: Bits> Planes<Reversi<B>> for BoardPlanes {
    fn shape(&self) -> [usize; 3] {
        [3, self.shape.rows() as usize, self.shape.columns() as usize]
    }

    fn channels(&self) -> &'static [&'static str] {
        &["own discs", "discs of the other side", "legal moves"]
    }

    fn write(&self, _game: &Reversi<B>, state: &State<B>, out: &mut [f32]) {
        let (rows, columns, n_squares) = (self.shape.rows(), self.shape.columns(), self.shape.squares() as usize);
        for row in 0..rows {
            for column in 0..columns {
                let (square, idx) = (square_at::<B>(row, column), (row * columns + column) as usize);
                for (channel, set) in [state.own, state.other, state.placements].into_iter().enumerate() {
                    if set.has(square) {
                        out[channel * n_squares + idx] = 1.0;
                    }
                }
            }
        }
    }

    fn n_actions(&self) -> usize {
        self.shape.squares() as usize + 1
    }

    fn action(&self, mv: Place) -> usize {
        if mv == Place::PASS {
            return self.shape.squares() as usize;
        }
        let (row, column) = row_and_column::<B>(mv.0.into());
        (row * self.shape.columns() + column) as usize
    }
}
