//! The review of a game as JSON.

use std::collections::BTreeMap;

use banyan_catalog::view::{Proof, side_word};
use banyan_core::Reason;
use serde::{Deserialize, Serialize};

/// The reason of every mistake: the loss itself, and the better line.
pub(crate) const BETTER_LINE: &str = "better-line";

/// A game with the loss of every move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Review {
    /// [`VERSION`](banyan_catalog::view::VERSION).
    pub v: u32,
    /// The game specification.
    pub game: String,
    /// The position before the first move, as one line of text.
    pub position: String,
    /// The players, `First` first; `None` if the record does not name them.
    pub players: Option<[String; 2]>,
    /// The names of the sides at the board, `first` before `second`.
    pub sides: [String; 2],
    /// The player that valued the positions.
    pub reviewer: String,
    /// Its limit for each position.
    pub budget: String,
    /// The unit of losses.
    pub unit: ReviewUnit,
    /// Moves of the game.
    pub plies: usize,
    /// Moves at its beginning that no player chose, which are not reviewed.
    #[serde(default)]
    pub opening_plies: usize,
    /// The final margin from the viewpoint of `First`; `None` if the game is not over.
    pub result: Option<i16>,
    /// The name of the opening; `None` if it has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// Whether the review is complete.
    pub complete: bool,
    /// The moves reviewed, in their order.
    pub moves: Vec<ReviewedMove>,
    /// The summary of each side, `First` first.
    pub summary: [ReviewedSide; 2],
    /// Wall-clock time.
    pub elapsed_ms: f64,
}

/// The unit of the losses of a [`Review`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReviewUnit {
    /// Points of the final margin.
    Points,
    /// Expected share of the point, in percent: 100 for a win, 50 for a draw.
    Percent,
}

/// The severity of a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mark {
    /// An inaccuracy.
    #[serde(rename = "?!")]
    Inaccuracy,
    /// A mistake.
    #[serde(rename = "?")]
    Mistake,
    /// A blunder.
    #[serde(rename = "??")]
    Blunder,
}

impl Mark {
    /// `?!`, `?` or `??`.
    pub fn glyph(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }
}

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Valuation {
    /// Expected result: -1 certain loss … 1 certain win.
    pub value: f64,
    /// Expected final margin in points, exact if `proof` is; `None` if unknown.
    pub margin: Option<f64>,
    /// Proven bounds of the final margin, if any.
    pub proof: Option<Proof>,
}

/// A move of a [`Review`]. Values are seen by the side that made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewedMove {
    /// The number of the move in the game, from 1.
    pub ply: usize,
    /// The position before the move.
    pub position: String,
    /// `first` or `second`: the side that made the move.
    pub to_move: String,
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Number of legal moves.
    pub choices: usize,
    /// The value of the position before the move, that is, of the best move.
    pub before: Valuation,
    /// The value of the position after the move.
    pub after: Valuation,
    /// The loss against the best move, in the unit of the review, at least 0.
    pub loss: f64,
    /// Whether the loss is proven.
    pub exact: bool,
    /// The loss of the expected share of the point, in percent, by which moves are marked.
    pub loss_percent: f64,
    /// `None` for a move that loses little.
    pub mark: Option<Mark>,
    /// A best move; the one that was made, if none is proven to be better.
    pub best: String,
    /// The line expected after it, beginning with `best`.
    pub pv: Vec<String>,
    /// Why it loses something, the most important reason first; empty for a move that loses nothing. In percent, a slower win has
    /// reasons too.
    pub reasons: Vec<ReasonView>,
}

impl ReviewedMove {
    /// Whether it loses something in the unit of the review, or of the expected result.
    pub fn loses(&self) -> bool {
        self.loss > 0.0 || self.loss_percent > 0.0
    }

    /// The reasons besides the better line, which every loss has.
    pub(crate) fn own_reasons(&self) -> impl Iterator<Item = &ReasonView> {
        self.reasons.iter().filter(|reason| reason.kind != BETTER_LINE)
    }

    /// The most important reason besides the better line.
    pub fn main_reason(&self) -> Option<&ReasonView> {
        self.own_reasons().next()
    }
}

/// One reason why a move loses something: a fact, for which the texts `reason.KIND` have the words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReasonView {
    /// The kind, in kebab case.
    pub kind: String,
    /// `first` or `second`: the side that gains by it.
    pub side: String,
    /// Moves and squares, by the placeholders of the text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub names: BTreeMap<String, String>,
    /// Numbers, by the placeholders of the text.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub numbers: BTreeMap<String, i32>,
    /// Cells to be marked, counted row by row from the top left, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cells: Vec<usize>,
    /// Edges to be marked: the horizontal ones row by row from the top left, from 0, then the vertical ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edges: Vec<usize>,
    /// Moves from the position before the move that show it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
}

impl From<Reason> for ReasonView {
    fn from(reason: Reason) -> ReasonView {
        ReasonView {
            kind: reason.kind.to_owned(),
            side: side_word(reason.side).to_owned(),
            names: reason.names.into_iter().map(|(placeholder, name)| (placeholder.to_owned(), name)).collect(),
            numbers: reason.numbers.into_iter().map(|(placeholder, number)| (placeholder.to_owned(), number)).collect(),
            cells: reason.cells,
            edges: reason.edges,
            line: reason.line,
        }
    }
}

/// The summary of a side in a [`Review`]. A move without a choice is neither good nor bad.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReviewedSide {
    /// `first` or `second`.
    pub side: String,
    /// Its moves reviewed.
    pub moves: usize,
    /// Those with a choice.
    pub choices: usize,
    /// Those with a choice that lose nothing.
    pub best: usize,
    /// Mean loss of the moves with a choice, in the unit of the review; `None` without such moves.
    pub mean_loss: Option<f64>,
    /// Accuracy of the moves with a choice, in percent; `None` without such moves.
    pub accuracy: Option<f64>,
    /// Moves marked `?!`.
    pub inaccuracies: usize,
    /// Moves marked `?`.
    pub mistakes: usize,
    /// Moves marked `??`.
    pub blunders: usize,
    /// The ply of the move that loses most of the expected result, and of these most points, the first of equals; `None` if none loses
    /// anything.
    pub worst: Option<usize>,
}
