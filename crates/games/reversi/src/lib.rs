//! Reversi (Othello) on boards of 4 to 10 rows and columns, both even.
//!
//! Black begins. A disc must turn at least one disc of the other side; a side that cannot place passes, and when
//! neither side can, the side with more discs wins. Files run from the left, ranks from the top:
//!
//! ```text
//!     a b c d e f g h
//!   1 . . . . . . . .
//!   2 . . . . . . . .
//!   3 . . . + . . . .
//!   4 . . + o x . . .      x black   o white   + black may play here
//!   5 . . . x o + . .
//!   6 . . . . + . . .
//!   7 . . . . . . . .
//!   8 . . . . . . . .
//! ```

mod areas;
mod depth_errors;
mod exact;
mod knowledge;
mod lanes;
mod lines;
mod moves_text;
mod notation;
mod patterns;
mod planes;
mod playouts;
mod position_text;
mod priors;
mod reasons;
mod rules;
mod shape;
mod square_weights;
mod squares;
mod stale_playouts;
mod static_eval;
mod symmetry;
mod weight_files;

use banyan_bits::Bits;
use banyan_core::{MoveCode, Side};

pub use exact::ExactEndings;
pub use knowledge::ReversiKnowledge;
pub use patterns::{PATTERN_UNIT, PatternFeatures, PatternWeights};
pub use planes::BoardPlanes;
pub use playouts::{TacticalPlayouts, UniformMoves};
pub use priors::{PolicyPriors, PriorFeatures, prior_units};
pub use shape::{Counting, Shape};
pub use stale_playouts::StaleMoves;
pub use weight_files::WEIGHT_FILES;

use areas::Areas;
use lines::Lines;
use squares::area;

/// The rules on a board of one shape, kept in words of type `B`.
#[derive(Clone, Debug)]
pub struct Reversi<B> {
    shape: Shape,
    /// Every square.
    board: B,
    lines: Lines<B>,
    areas: Areas<B>,
}

/// A position, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<B> {
    /// Discs of the side to move.
    own: B,
    /// Discs of the other side.
    other: B,
    /// The squares where the side to move may place a disc: a function of the discs, stored because it is needed at
    /// every visit.
    placements: B,
    /// Moves played so far, passes included.
    ply: u8,
    to_move: Side,
}

/// A move: the square a disc is placed on, or a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place(u8);

impl Place {
    /// A pass: the only move of a side that cannot place a disc while the other can.
    pub const PASS: Place = Place(u8::MAX);
}

impl MoveCode for Place {
    #[inline]
    fn code(self) -> u16 {
        self.0.into()
    }

    #[inline]
    fn from_code(code: u16) -> Place {
        Place(code as u8)
    }
}

impl<B: Bits> Reversi<B> {
    /// The game on a board of this shape.
    ///
    /// # Panics
    /// If `B` is narrower than [`Shape::word_bits`].
    pub fn new(shape: Shape) -> Reversi<B> {
        assert!(B::WIDTH >= shape.word_bits(), "{shape:?} needs {} bits, not {}", shape.word_bits(), B::WIDTH);
        let board = area(0..shape.rows(), 0..shape.columns());
        let inner = area(0..shape.rows(), 1..shape.columns() - 1);
        let areas = Areas::new(shape.rows(), shape.columns());
        Reversi { shape, board, lines: Lines::new(board, inner), areas }
    }

    /// Size of the board and way of counting.
    pub fn shape(&self) -> Shape {
        self.shape
    }
}
