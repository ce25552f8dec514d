//! Positions as planes.

use banyan_core::Planes;

use super::{ConnectFour, Grid, Place, Shape, State};

/// Connect Four as planes of its cells. The outputs of a policy are the columns, from the left.
pub struct BoardPlanes {
    shape: Shape,
}

impl BoardPlanes {
    /// The planes of this board.
    pub fn new<B: Grid>(game: &ConnectFour<B>) -> BoardPlanes {
        BoardPlanes { shape: game.shape.clone() }
    }
}

impl<B: Grid> Planes<ConnectFour<B>> for BoardPlanes {
    fn shape(&self) -> [usize; 3] {
        [3, self.shape.rows() as usize, self.shape.columns() as usize]
    }

    fn channels(&self) -> &'static [&'static str] {
        &["own stones", "stones of the other side", "holes"]
    }

    fn write(&self, game: &ConnectFour<B>, state: &State<B>, out: &mut [f32]) {
        let (rows, columns, others) = (self.shape.rows(), self.shape.columns(), game.others(state));
        let n_cells = (rows * columns) as usize;
        for row in 0..rows {
            for column in 0..columns {
                let (bit, cell) =
                    (self.shape.bit(Place { column, row }), ((rows - 1 - row) * columns + column) as usize);
                let channel = if state.own.has(bit) {
                    0
                } else if others.has(bit) {
                    1
                } else if state.filled.has(bit) {
                    2
                } else {
                    continue;
                };
                out[channel * n_cells + cell] = 1.0;
            }
        }
    }

    fn n_actions(&self) -> usize {
        self.shape.columns() as usize
    }

    fn action(&self, column: u8) -> usize {
        column.into()
    }
}
