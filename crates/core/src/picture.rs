//! A board as data: one renderer for the terminal and one for SVG serve every game.

use crate::Side;

/// One cell of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The owner of the stone or box.
    pub owner: Option<Side>,
    /// Whether it is a hole, which neither side can use.
    pub hole: bool,
    /// Whether the last move was played here.
    pub last: bool,
    /// Whether it is part of the winning line.
    pub winning: bool,
    /// Whether the side to move may place a stone here.
    pub legal: bool,
}

/// One edge between two dots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Whether the edge is drawn.
    pub drawn: bool,
    /// Whether the last move drew it.
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
