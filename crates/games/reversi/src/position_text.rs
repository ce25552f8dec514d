//! Positions as text: `8/8/8/3ox3/3xo3/8/8/8 x`, and the board lines of endgame collections.

use banyan_bits::Bits;
use banyan_core::{Game, Side, TextError};

use super::moves_text::{file_letter, shortened};
use super::squares::{area, square_at};
use super::{Reversi, State};

/// The squares row by row, from the top left.
type Squares = Vec<Option<Side>>;

impl<B: Bits> Reversi<B> {
    /// The owner of the disc on `square`.
    pub(super) fn owner(&self, state: &State<B>, square: u32) -> Option<Side> {
        if state.own.has(square) {
            return Some(state.to_move);
        }
        state.other.has(square).then_some(!state.to_move)
    }

    pub(super) fn position_text(&self, state: &State<B>) -> String {
        let rows: Vec<String> = (0..self.shape.rows()).map(|row| self.row_text(state, row)).collect();
        let text = format!("{} {}", rows.join("/"), disc_letter(state.to_move));
        let n_placed = state.own.or(state.other).count() - 4;
        if u32::from(state.ply) == n_placed { text } else { format!("{text} {}", state.ply) }
    }

    fn row_text(&self, state: &State<B>, row: u32) -> String {
        let owners: Vec<_> = (0..self.shape.columns()).map(|col| self.owner(state, square_at::<B>(row, col))).collect();
        let runs = owners.chunk_by(|a, b| a.is_none() && b.is_none());
        let run_text =
            |run: &[Option<Side>]| run[0].map_or_else(|| run.len().to_string(), |side| disc_letter(side).into());
        runs.map(run_text).collect()
    }

    pub(super) fn read_position(&self, text: &str) -> Result<State<B>, TextError> {
        let mut fields = text.split(';').next().unwrap_or_default().split_whitespace();
        let board = fields.next().unwrap_or_default();
        let squares = if board.contains('/') { self.read_rows(board)? } else { self.read_line(board)? };
        let to_move = match fields.next() {
            Some("x" | "X" | "*") => Side::First,
            Some("o" | "O") => Side::Second,
            other => {
                let found = format!("side to move {:?}", shortened(other.unwrap_or_default()));
                return Err(TextError::new(
                    found,
                    "expected x for black or o for white",
                    "write it after the board and a space",
                ));
            }
        };
        let of = |side: Side| {
            let discs = squares.iter().enumerate().filter(|&(_, &owner)| owner == Some(side));
            discs.fold(B::EMPTY, |set, (i, _)| set.or(B::single(self.nth_square(i as u32))))
        };
        let (black, white) = (of(Side::First), of(Side::Second));
        self.check_centre(black.or(white))?;
        let n_placed = black.or(white).count() as u8 - 4;
        let state = self.position(black, white, to_move, n_placed);
        let state = match fields.next() {
            Some(ply) => State { ply: self.read_ply(ply, &state)?, ..state },
            None => state,
        };
        match fields.next() {
            None => Ok(state),
            Some(extra) => Err(TextError::new(
                format!("{:?} after the position", shortened(extra)),
                "expected a board, a side and at most a number of moves",
                "leave it out",
            )),
        }
    }

    fn nth_square(&self, i: u32) -> u32 {
        square_at::<B>(i / self.shape.columns(), i % self.shape.columns())
    }

    /// The four central squares are never empty.
    fn check_centre(&self, discs: B) -> Result<(), TextError> {
        let (row, column) = (self.shape.rows() / 2, self.shape.columns() / 2);
        let centre: B = area(row - 1..row + 1, column - 1..column + 1);
        if centre.and_not(discs).is_empty() {
            return Ok(());
        }
        let corner = |row, column| format!("{}{}", file_letter(column), row + 1);
        let between = format!("{} and {}", corner(row - 1, column - 1), corner(row, column));
        Err(TextError::new(
            "an empty square in the centre",
            format!("expected discs on the four between {between}"),
            "fill them",
        ))
    }

    /// The number of moves played, every placement and up to as many passes; one more if a pass came first.
    fn read_ply(&self, text: &str, state: &State<B>) -> Result<u8, TextError> {
        let least = state.ply;
        let most = 2 * least + u8::from(!state.placements.is_empty());
        let ply = text
            .parse()
            .ok()
            .filter(|ply| text.bytes().all(|byte| byte.is_ascii_digit()) && (least..=most).contains(ply));
        ply.ok_or_else(|| {
            let expected = format!("expected the moves played, {least} to {most} with so many discs");
            TextError::new(
                format!("{:?} after the side", shortened(text)),
                expected,
                "leave it out if there was no pass",
            )
        })
    }

    fn read_rows(&self, board: &str) -> Result<Squares, TextError> {
        let (n_rows, n_columns) = (self.shape.rows() as usize, self.shape.columns() as usize);
        let n_found = board.split('/').count();
        if n_found != n_rows {
            let found = format!("{n_found} rows");
            return Err(TextError::new(
                found,
                format!("expected {n_rows} rows separated by /"),
                "write every row from the top",
            ));
        }
        let mut squares = Vec::new();
        for (i, row) in board.split('/').enumerate() {
            let length = read_row(row, n_columns, &mut squares)?;
            if length != n_columns {
                let found = format!("row {} {:?}", i + 1, shortened(row));
                let expected = format!("expected {n_columns} squares");
                return Err(TextError::new(found, expected, "count discs and runs of empty squares again"));
            }
        }
        Ok(squares)
    }

    fn read_line(&self, board: &str) -> Result<Squares, TextError> {
        let squares = board.chars().map(read_square).collect::<Result<Squares, TextError>>()?;
        if squares.len() != self.shape.squares() as usize {
            let found = format!("a board of {} squares {:?}", squares.len(), shortened(board));
            let expected =
                format!("expected {} squares, or {} rows separated by /", self.shape.squares(), self.shape.rows());
            return Err(TextError::new(found, expected, format!("try {:?}", self.position_text(&self.start()))));
        }
        Ok(squares)
    }
}

/// Appends the squares of one row and returns their number, which stops growing once it exceeds `n_columns`.
fn read_row(row: &str, n_columns: usize, squares: &mut Squares) -> Result<usize, TextError> {
    let before = squares.len();
    let mut rest = row;
    while let Some(first) = rest.chars().next().filter(|_| squares.len() - before <= n_columns) {
        let n_digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if n_digits == 0 {
            let owner = disc_owner(first).ok_or_else(|| {
                let found = format!("{first:?} in row {:?}", shortened(row));
                TextError::new(found, "expected x, o or a number of empty squares", "write black as x and white as o")
            })?;
            squares.push(Some(owner));
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let n_empty = rest[..n_digits].parse().unwrap_or(usize::MAX).min(n_columns + 1);
        squares.extend(std::iter::repeat_n(None, n_empty));
        rest = &rest[n_digits..];
    }
    Ok(squares.len() - before)
}

fn read_square(char: char) -> Result<Option<Side>, TextError> {
    match char {
        '-' | '.' => Ok(None),
        _ => disc_owner(char).map(Some).ok_or_else(|| {
            let found = format!("{char:?} in a board line");
            TextError::new(found, "expected X or *, O, - or .", "write one character a square, or rows separated by /")
        }),
    }
}

fn disc_owner(char: char) -> Option<Side> {
    match char {
        'x' | 'X' | '*' => Some(Side::First),
        'o' | 'O' => Some(Side::Second),
        _ => None,
    }
}

fn disc_letter(side: Side) -> char {
    match side {
        Side::First => 'x',
        Side::Second => 'o',
    }
}
