//! A board as data, so that one painter in the terminal and one for SVG serve every game.

use crate::Side;

/// One cell of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// Whose stone or box it is.
    pub owner: Option<Side>,
    /// Blocked: nobody can use it.
    pub hole: bool,
    /// The last move went here.
    pub last: bool,
    /// Part of the winning line.
    pub winning: bool,
    /// A stone may be placed here now.
    pub legal: bool,
}

/// One edge between two dots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// The line is drawn.
    pub drawn: bool,
    /// It was drawn by the last move.
    pub last: bool,
}

/// A rectangular board, seen from above, top row first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// `[rows * columns]`, row by row from the top left.
    pub cells: Vec<Cell>,
    /// For boards of dots and lines: `[(rows + 1) * columns]` horizontal edges row by row, then
    /// `[rows * (columns + 1)]` vertical ones row by row.
    pub edges: Option<Vec<Edge>>,
    /// `[columns]`, from the left.
    pub column_labels: Vec<String>,
    /// `[rows]`, from the top.
    pub row_labels: Vec<String>,
}
