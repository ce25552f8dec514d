//! Names, options and the picture of a board; moves and positions have separate files.

use banyan_bits::Bits;
use banyan_core::{Cell, Notation, Picture, Side, TextError};

use super::moves_text::{file_letter, place_text};
use super::squares::square_at;
use super::{Place, Reversi, Shape, State};

impl<B: Bits> Notation for Reversi<B> {
    const NAME: &'static str = "reversi";
    const SUMMARY: &'static str =
        "enclose discs to turn them, most discs win; size 4 to 10, even (8x8), count=winner-takes-empties or discs";

    fn from_options(options: &str) -> Result<Self, TextError> {
        let shape = Shape::parse(options)?;
        if shape.word_bits() > B::WIDTH {
            let found = format!("a {}x{} board", shape.rows(), shape.columns());
            let expected = format!("expected a board that fits a word of {} bits", B::WIDTH);
            return Err(TextError::new(found, expected, format!("choose a word of {} bits", shape.word_bits())));
        }
        Ok(Reversi::new(shape))
    }

    fn options(&self) -> String {
        self.shape.options()
    }

    fn print_move(&self, _state: &State<B>, mv: Place) -> String {
        place_text::<B>(mv)
    }

    /// A square or a pass (`pass`, `pa`, `ps`, `--`), in any letter case.
    fn parse_move(&self, state: &State<B>, text: &str) -> Result<Place, TextError> {
        self.read_move(state, text)
    }

    /// Moves with or without separators, as in `F5D6C3`. A pass may be written or left out; the list contains it in
    /// either case.
    fn parse_moves(&self, state: &State<B>, text: &str) -> Result<Vec<Place>, TextError> {
        self.read_moves(state, text)
    }

    /// Rows from the top separated by `/`, digits for runs of empty squares, `x` black, `o` white; then the side to
    /// move; then, only after a pass, the number of moves played.
    fn print_position(&self, state: &State<B>) -> String {
        self.position_text(state)
    }

    /// The output of [`print_position`](Notation::print_position), or a board line of endgame collections: all squares
    /// row by row, `X` or `*` black, `O` white, `-` or `.` empty, and the side to move. Text after a `;` is ignored.
    fn parse_position(&self, text: &str) -> Result<State<B>, TextError> {
        self.read_position(text)
    }

    fn picture(&self, state: &State<B>, last: Option<Place>) -> Option<Picture> {
        let (rows, columns) = (self.shape.rows(), self.shape.columns());
        let cell = |row, column| {
            let square = square_at::<B>(row, column);
            Cell {
                owner: self.owner(state, square),
                last: last.is_some_and(|last| u32::from(last.0) == square),
                legal: state.placements.has(square),
                ..Cell::default()
            }
        };
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| cell(row, column))).collect();
        Some(Picture {
            rows: rows as usize,
            columns: columns as usize,
            cells,
            edges: None,
            column_labels: (0..columns).map(|column| file_letter(column).to_string()).collect(),
            row_labels: (1..=rows).map(|rank| rank.to_string()).collect(),
        })
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "black",
            Side::Second => "white",
        }
    }
}
