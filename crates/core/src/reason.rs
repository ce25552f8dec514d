//! Why a move loses something against a better one: facts about positions, which are put into words at the edge.

use crate::{Bounds, Side};

/// A move that loses something, and what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake<M> {
    /// The move that was made.
    pub mv: M,
    /// The line that begins with a better move: at least that move.
    pub better: Line<M>,
    /// The line that follows the move that was made; empty if it is not known.
    pub answer: Line<M>,
    /// Proven bounds of the final margin under best play before the move.
    pub before: Bounds,
    /// Proven bounds of the final margin under best play after it.
    pub after: Bounds,
}

/// Moves expected to follow each other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line<M> {
    /// The moves, of both sides.
    pub moves: Vec<M>,
    /// Whether each of them is proven to be a best move.
    pub is_proven: bool,
}

/// A fact about a mistake, which follows from the rules, from the two positions after the moves and from the lines and bounds given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Its kind, in kebab case: `corner-given`. Every kind has a text, with placeholders for what follows.
    pub kind: &'static str,
    /// The side that gains by it.
    pub side: Side,
    /// Moves and squares in the game's notation, by the name of their placeholder.
    pub names: Vec<(&'static str, String)>,
    /// Numbers, by the name of their placeholder.
    pub numbers: Vec<(&'static str, i32)>,
    /// Cells to be marked, as indices of [`Picture::cells`](crate::Picture::cells).
    pub cells: Vec<usize>,
    /// Edges to be marked, as indices of [`Picture::edges`](crate::Picture::edges).
    pub edges: Vec<usize>,
    /// The moves that show it, from the position before the mistake, in the game's notation; empty for none.
    pub line: Vec<String>,
}

impl Reason {
    /// A reason without details.
    pub fn new(kind: &'static str, side: Side) -> Reason {
        let (names, numbers) = (Vec::new(), Vec::new());
        Reason { kind, side, names, numbers, cells: Vec::new(), edges: Vec::new(), line: Vec::new() }
    }

    /// Adds a move or a square.
    #[must_use]
    pub fn name(mut self, placeholder: &'static str, name: String) -> Reason {
        self.names.push((placeholder, name));
        self
    }

    /// Adds a number.
    #[must_use]
    pub fn number(mut self, placeholder: &'static str, number: i32) -> Reason {
        self.numbers.push((placeholder, number));
        self
    }
}

impl<M> Mistake<M> {
    /// The mistake with its moves in another form.
    pub fn map<N>(&self, mv: impl Fn(&M) -> N) -> Mistake<N> {
        let line = |line: &Line<M>| Line { moves: line.moves.iter().map(&mv).collect(), is_proven: line.is_proven };
        let (better, answer) = (line(&self.better), line(&self.answer));
        Mistake { mv: mv(&self.mv), better, answer, before: self.before, after: self.after }
    }
}
