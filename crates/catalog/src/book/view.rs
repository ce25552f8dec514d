//! Positions of an opening book as JSON.

use serde::{Deserialize, Serialize};

use crate::view::{SolvedMove, win_percent};

/// A position of a book with its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookView {
    /// [`VERSION`](crate::view::VERSION).
    pub v: u32,
    /// The game.
    pub game: String,
    /// The player that searched the positions.
    pub player: String,
    /// Its budget for a position.
    pub budget: String,
    /// The random seed.
    pub seed: u64,
    /// The positions of the book.
    pub positions: u64,
    /// The position as one line of text.
    pub position: String,
    /// `first` or `second`.
    pub to_move: String,
    /// Expected result for the side to move: -1 certain loss … 1 certain win.
    pub value: f64,
    /// Expected final margin in points for the side to move; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The positions of the book that were first reached through this one.
    pub positions_below: u64,
    /// The best moves of both sides from here on, up to the last position in the book.
    pub pv: Vec<String>,
    /// The moves, best first; only the best one if the book lacks others. One of those that lead to symmetric positions.
    pub moves: Vec<BookMoveView>,
}

/// A move in a [`BookView`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BookMoveView {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Expected result for the side to move: -1 certain loss … 1 certain win.
    pub value: f64,
    /// Expected final margin in points for the side to move; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The position after it, if it is in the book, and those that were first reached through that one.
    pub positions: u64,
    /// The line that follows in the book, beginning with the move.
    pub pv: Vec<String>,
}

/// A position of a book of exact values with its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExactBookView {
    /// [`VERSION`](crate::view::VERSION).
    pub v: u32,
    /// The game.
    pub game: String,
    /// Moves from the start of the game to the positions that were solved.
    pub plies: u32,
    /// The positions that were solved.
    pub positions: u64,
    /// The position as one line of text.
    pub position: String,
    /// `first` or `second`.
    pub to_move: String,
    /// The final margin of the side to move is at least this.
    pub lower: i16,
    /// It is at most this.
    pub upper: i16,
    /// The moves whose positions are in the book, best first.
    pub moves: Vec<SolvedMove>,
}

impl BookView {
    /// Expected share of the point for the side to move, in percent.
    pub fn win_percent(&self) -> f64 {
        win_percent(self.value)
    }
}

impl BookMoveView {
    /// Expected share of the point for the side to move, in percent.
    pub fn win_percent(&self) -> f64 {
        win_percent(self.value)
    }
}
