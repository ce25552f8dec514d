//! Moves, options and names as text.

use banyan_core::{Game, Notation, Picture, Side, Structure, TextError, TextErrorKind, play_words};

use super::shape::{column_of_letter, letter, number};
use super::{ConnectFour, Grid, Place, Shape, State};

/// On boards with at most this many columns every column is one digit, so that moves need no separator.
const DIGIT_COLUMNS: u32 = 9;

impl<B: Grid> Notation for ConnectFour<B> {
    const NAME: &'static str = "connect-four";

    const SUMMARY: &'static str = "four in a line win, stones fall; options ROWSxCOLUMNS (6x7, 4x4 to 15x16), hole=d3";

    fn from_options(options: &str) -> Result<Self, TextError> {
        let shape = Shape::parse(options)?;
        if shape.bits() <= B::WIDTH {
            return Ok(ConnectFour::new(shape));
        }
        let found = format!("{}:{}", Self::NAME, shape.options());
        let expected = format!("expected a board of at most {} bits, not {}", B::WIDTH, shape.bits());
        Err(TextError::new(found, expected, "choose the board word by Shape::word"))
    }

    fn options(&self) -> String {
        self.shape.options()
    }

    /// The number of the column, from 1.
    fn print_move(&self, _state: &State<B>, mv: u8) -> String {
        (mv + 1).to_string()
    }

    /// A column by number or letter, or the cell where the stone lands: `4`, `column 4`, `d`, `d3`.
    fn parse_move(&self, state: &State<B>, text: &str) -> Result<u8, TextError> {
        let refused = |expected: String, remedy: String| {
            TextError::new(format!("move {text:?}"), format!("expected {expected}"), remedy)
                .of_kind(TextErrorKind::IllegalMove)
        };
        if self.result(state).is_some() {
            return Err(refused("no move, as the game is over".to_owned(), "leave it out".to_owned()));
        }
        let (column, row) = parse_column(text).ok_or_else(|| {
            refused(format!("the number of a column, 1 to {}", self.shape.columns()), self.try_legal(state))
        })?;
        if column >= self.shape.columns() {
            let (n, last) = (self.shape.columns(), letter(self.shape.columns() - 1));
            let remedy = if n > DIGIT_COLUMNS && text.len() > 1 && number(text).is_some() {
                format!("put spaces between moves, as digits run together only up to {DIGIT_COLUMNS} columns")
            } else {
                self.try_legal(state)
            };
            return Err(refused(format!("a column from 1 to {n} or a to {last}"), remedy));
        }
        let landing = self.landing_place(state, column).ok_or_else(|| {
            refused(format!("another column, as column {} is full", column + 1), self.try_legal(state))
        })?;
        if row.is_some_and(|row| row != landing.row) {
            let expected = format!("{}, as a stone in column {} falls there", landing.name(), column + 1);
            return Err(refused(expected, format!("write {} or {}", landing.name(), column + 1)));
        }
        Ok(column as u8)
    }

    /// Moves separated by spaces or commas; on boards of up to 9 columns digits may run together.
    fn parse_moves(&self, state: &State<B>, text: &str) -> Result<Vec<u8>, TextError> {
        let words = text.split([' ', ',', '\t', '\n', '\r']).filter(|word| !word.is_empty());
        if self.shape.columns() <= DIGIT_COLUMNS {
            play_words(self, state, words.flat_map(split_digits))
        } else {
            play_words(self, state, words)
        }
    }

    fn print_position(&self, state: &State<B>) -> String {
        self.position_text(state)
    }

    /// Rows from the top separated by `/`, then the side to move: `x` first side, `o` second, `-` hole, and a number
    /// for a run of free cells.
    ///
    /// Refuses positions that violate a rule in an obvious way; whether a sequence of legal moves leads to the position
    /// is not checked.
    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        self.read_position(text)
    }

    fn picture(&self, state: &State<B>, last: Option<u8>) -> Option<Picture> {
        Some(self.board_picture(state, last))
    }

    fn structure(&self, state: &State<B>) -> Option<Structure> {
        self.result(state).is_none().then(|| self.structure_in_words(state))
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "X",
            Side::Second => "O",
        }
    }
}

impl<B: Grid> ConnectFour<B> {
    fn try_legal(&self, state: &State<B>) -> String {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        let legal: Vec<String> = moves.iter().map(|&mv| self.print_move(state, mv)).collect();
        format!("try one of {}", legal.join(" "))
    }
}

/// Column from 0, and row if the text has one.
fn parse_column(text: &str) -> Option<(u32, Option<u32>)> {
    let text = match text.split_once(' ') {
        Some((word, rest)) if word.eq_ignore_ascii_case("column") => rest.trim_start(),
        _ => text,
    };
    if let Some(column) = number(text) {
        // There is no column 0; it wraps around to a number off every board.
        return Some((column.wrapping_sub(1), None));
    }
    let mut chars = text.chars();
    let first = chars.next()?;
    if chars.as_str().is_empty() {
        return column_of_letter(first).map(|column| (column, None));
    }
    Place::parse(text).map(|place| (place.column, Some(place.row)))
}

/// The digits of a word of digits one by one, any other word whole. A word with a zero names a column that the board
/// does not have, and stays whole so that the error names it.
fn split_digits(word: &str) -> impl Iterator<Item = &str> {
    let step = if number(word).is_some() && !word.contains('0') { 1 } else { word.len() };
    (0..word.len()).step_by(step).map(move |at| &word[at..at + step])
}
