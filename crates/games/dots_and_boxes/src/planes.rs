//! Positions as planes.

use banyan_bits::Bits;
use banyan_core::{Game, Planes};

use super::{DotsAndBoxes, Line, Shape, State};

/// Dots and Boxes as planes of its points, edges and boxes: edge and box lie between the dots, in twice as many rows and columns, and one
/// more. The outputs of a policy are the edges by their numbers: first the horizontal ones, row by row from the top, then the vertical ones.
pub struct BoardPlanes {
    shape: Shape,
}

impl BoardPlanes {
    /// The planes of this board.
    pub fn new<B: Bits>(game: &DotsAndBoxes<B>) -> BoardPlanes {
        BoardPlanes { shape: game.shape() }
    }

    /// Rows and columns of a plane.
    fn size(&self) -> (usize, usize) {
        (2 * self.shape.rows() as usize + 1, 2 * self.shape.columns() as usize + 1)
    }
}

impl<B: Bits> Planes<DotsAndBoxes<B>> for BoardPlanes {
    fn shape(&self) -> [usize; 3] {
        let (rows, columns) = self.size();
        [3, rows, columns]
    }

    fn channels(&self) -> &'static [&'static str] {
        &[
            "drawn edges",
            "closed boxes",
            "everywhere the lead: own boxes less those of the other side, as a share of all",
        ]
    }

    fn write(&self, game: &DotsAndBoxes<B>, state: &State<B>, out: &mut [f32]) {
        let (rows, columns) = self.size();
        for edge in (0..self.shape.n_edges()).filter(|&edge| state.drawn.has(edge)) {
            let (line, row, column) = self.shape.place(edge as u8);
            let (row, column) = (2 * row as usize, 2 * column as usize);
            let (row, column) = if line == Line::Horizontal { (row, column + 1) } else { (row + 1, column) };
            out[row * columns + column] = 1.0;
        }
        for number in game.layout.closed(state.drawn) {
            let (row, column) = (number / self.shape.columns(), number % self.shape.columns());
            out[(rows + 2 * row as usize + 1) * columns + 2 * column as usize + 1] = 1.0;
        }
        let lead = game.score(state).seen_by(game.to_move(state));
        out[2 * rows * columns..].fill(f32::from(lead) / self.shape.n_boxes() as f32);
    }

    fn n_actions(&self) -> usize {
        self.shape.n_edges() as usize
    }

    fn action(&self, edge: u8) -> usize {
        edge.into()
    }
}
