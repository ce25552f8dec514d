//! The names of an edge in text, and lists of moves.
//!
//! On one box, whose edges have the numbers 0 to 3:
//!
//! ```text
//!       0         1
//!   0   +--h0,0---+        0 is also 0,0-0,1 and 0,0 top
//!     v0,0      v0,1       3 is also 0,1-1,1 and 0,0 right
//!   1   +--h1,0---+
//! ```

use banyan_bits::Bits;
use banyan_core::{Game, Side, TextError, TextErrorKind};

use super::shape::Line;
use super::{DotsAndBoxes, Shape, State};

/// The words for each side of a box, in the order of [`Shape::sides`].
const BOX_SIDES: [[&str; 3]; 4] =
    [["top", "n", "north"], ["bottom", "s", "south"], ["left", "w", "west"], ["right", "e", "east"]];

impl Shape {
    /// `h2,3` or `v1,0`: direction, row and column of the left or upper dot.
    pub(super) fn edge_name(self, edge: u8) -> String {
        let (line, row, column) = self.place(edge);
        let letter = if line == Line::Horizontal { 'h' } else { 'v' };
        format!("{letter}{row},{column}")
    }

    /// The names of all edges in the notation of a text that names none: numbers, or `h0,0` and `v0,0`.
    fn names_like(self, text: &str) -> String {
        let (rows, columns) = (self.rows(), self.columns());
        match line_and_place(text) {
            Some(_) => format!("an edge h0,0 to h{rows},{} or v0,0 to v{},{columns}", columns - 1, rows - 1),
            None => format!("the number of an edge, 0 to {}", self.n_edges() - 1),
        }
    }

    /// The edge that `text` names: `h2,3`, a number, two dots, or a side of a box.
    fn edge_named(self, text: &str) -> Option<u8> {
        if let Some((line, place)) = line_and_place(text) {
            let (row, column) = pair(place)?;
            return self.edge(line, row, column);
        }
        let by_number = number(text).filter(|&edge| edge < self.n_edges()).map(|edge| edge as u8);
        by_number.or_else(|| self.edge_of_dots(text)).or_else(|| self.edge_of_box(text))
    }

    /// The edge between two dots: `0,1-0,2`, `0,1 0,2` or `(0,1)-(0,2)`.
    fn edge_of_dots(self, text: &str) -> Option<u8> {
        let dots: Vec<(u32, u32)> = text
            .split(['-', ' '])
            .filter(|dot| !dot.is_empty())
            .map(|dot| pair(dot.strip_prefix('(').and_then(|dot| dot.strip_suffix(')')).unwrap_or(dot)))
            .collect::<Option<_>>()?;
        let &[one, other] = dots.as_slice() else { return None };
        let ((row, column), second) = (one.min(other), one.max(other));
        match second {
            _ if second == (row, column + 1) => self.edge(Line::Horizontal, row, column),
            _ if second == (row + 1, column) => self.edge(Line::Vertical, row, column),
            _ => None,
        }
    }

    /// The edge on one side of a box, which is named by its upper left dot: `0,1 top`, `0,1n` or `n0,1`.
    fn edge_of_box(self, text: &str) -> Option<u8> {
        let (head, tail) = text.split_at(text.find(|sign: char| sign.is_ascii_alphabetic())?);
        let (side, place) = match head.trim_end_matches([' ', '-']) {
            "" => tail.split_at(tail.find(|sign: char| !sign.is_ascii_alphabetic())?),
            head => (tail, head),
        };
        let (row, column) = pair(place.trim_start_matches([' ', '-']))?;
        let side = BOX_SIDES.iter().position(|names| names.iter().any(|name| name.eq_ignore_ascii_case(side)))?;
        let is_box = row < self.rows() && column < self.columns();
        is_box.then(|| self.sides(row * self.columns() + column)[side])
    }
}

impl<B: Bits> DotsAndBoxes<B> {
    pub(super) fn read_move(&self, state: &State<B>, text: &str) -> Result<u8, TextError> {
        let shape = self.layout.shape;
        let refused = |expected: String, remedy: String| {
            let err = TextError::new(format!("move {}", quoted(text)), format!("expected {expected}"), remedy);
            Err(err.of_kind(TextErrorKind::IllegalMove))
        };
        let undrawn = self.undrawn(state);
        if undrawn.is_empty() {
            return refused("no move, every edge is drawn".to_owned(), "leave it out".to_owned());
        }
        let free = undrawn.lowest() as u8;
        let action = self.action_named(text);
        let Some(edge) = action.map(|(_, edge)| edge).or_else(|| shape.edge_named(text)) else {
            return refused(shape.names_like(text), format!("try {free} or {}", shape.edge_name(free)));
        };
        if action.is_some_and(|(player, _)| player != state.mover) && self.result(state).is_none() {
            let player = state.mover.index() + 1;
            return refused(format!("an action of P{player}, whose turn it is"), "correct the player".to_owned());
        }
        if !undrawn.has(u32::from(edge)) {
            let remedy = format!("try {free} or {}", shape.edge_name(free));
            return refused("another edge, as that edge is drawn already".to_owned(), remedy);
        }
        Ok(edge)
    }

    /// The player and the edge of OpenSpiel's `P1(h,4,3)`.
    fn action_named(&self, text: &str) -> Option<(Side, u8)> {
        let (player, edge) = text.strip_suffix(')')?.split_once('(')?;
        let player = match player {
            "P1" | "p1" => Side::First,
            "P2" | "p2" => Side::Second,
            _ => return None,
        };
        let (letter, place) = edge.split_once(',')?;
        let (line, _) = line_and_place(letter).filter(|(_, rest)| rest.is_empty())?;
        let (row, column) = pair(place)?;
        Some((player, self.layout.shape.edge(line, row, column)?))
    }

    /// The words of a list of moves: `h0,1,v2,3 7;8,P1(h,4,3)` is `h0,1`, `v2,3`, `7`, `8` and `P1(h,4,3)`. A word between blanks that
    /// names an edge as a whole, `0,1-0,2` or `0,1top`, is one move.
    pub(super) fn move_words(&self, text: &str) -> impl Iterator<Item = String> {
        let words = text.split(|sep: char| sep.is_whitespace() || sep == ';');
        let moves: Vec<String> = words
            .flat_map(|word| match self.layout.shape.edge_named(word) {
                Some(_) => vec![word.to_owned()],
                None => split_at_commas(word).filter(|part| !part.is_empty()).collect(),
            })
            .collect();
        moves.into_iter()
    }
}

/// Splits a word at commas, except those after a letter and a number, which belong to a move.
fn split_at_commas(word: &str) -> impl Iterator<Item = String> {
    let mut parts = word.split(',');
    std::iter::from_fn(move || {
        let part = parts.next()?;
        let n_more = match part {
            _ if part.contains('(') => 2,
            _ if part.starts_with(|sign: char| sign.is_alphabetic()) => 1,
            _ => 0,
        };
        let more = parts.by_ref().take(n_more);
        Some(more.fold(part.to_owned(), |word, part| format!("{word},{part}")))
    })
}

/// The direction of a text that begins with `h` or `v`, and the rest of it.
fn line_and_place(text: &str) -> Option<(Line, &str)> {
    let line = match text.chars().next()? {
        'h' | 'H' => Line::Horizontal,
        'v' | 'V' => Line::Vertical,
        _ => return None,
    };
    Some((line, &text[1..]))
}

/// Row and column, `2,3`.
fn pair(text: &str) -> Option<(u32, u32)> {
    let (row, column) = text.split_once(',')?;
    Some((number(row)?, number(column)?))
}

/// A number of one to three digits.
pub(super) fn number(text: &str) -> Option<u32> {
    let digits = (1..=3).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// `text` in quotes, cut short if it is long.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(24) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
