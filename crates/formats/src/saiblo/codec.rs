//! The messages of both sides as types.

use std::fmt;
use std::io::{self, BufRead};

use banyan_core::{Cell, Picture, Side, TextError};

/// Maximum length of a number in bytes.
const LONGEST_NUMBER: usize = 12;

/// Maximum rows and columns accepted here; the game has smaller limits.
const LARGEST_SIDE: i64 = 32;

/// Reads numbers separated by white space, without reading ahead.
pub struct Numbers<R>(R);

impl<R: BufRead> Numbers<R> {
    /// Reads from `input`.
    pub fn new(input: R) -> Numbers<R> {
        Numbers(input)
    }

    /// The next number; `None` at the end of input.
    ///
    /// # Errors
    /// A stream error, or an invalid number (as invalid data).
    pub fn next_number(&mut self) -> io::Result<Option<i64>> {
        let mut digits = String::new();
        loop {
            let byte = match self.0.fill_buf() {
                Ok(piece) => piece.first().copied(),
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Err(err) => return Err(err),
            };
            let Some(byte) = byte else { break };
            self.0.consume(1);
            if !byte.is_ascii_whitespace() {
                digits.push(char::from(byte));
            } else if !digits.is_empty() {
                break;
            }
            if digits.len() > LONGEST_NUMBER {
                return Err(invalid(&wrong(format!("{digits:?}..."), "expected a number")));
            }
        }
        if digits.is_empty() {
            return Ok(None);
        }
        digits.parse().map(Some).map_err(|_| invalid(&wrong(format!("{digits:?}"), "expected a number")))
    }

    /// The next `n` numbers; `None` if the input ends before the first.
    fn next_numbers(&mut self, n: usize) -> io::Result<Option<Vec<i64>>> {
        let mut numbers = Vec::new();
        while numbers.len() < n {
            match self.next_number()? {
                Some(number) => numbers.push(number),
                None if numbers.is_empty() => return Ok(None),
                None => {
                    let found = format!("{} numbers and the end of input", numbers.len());
                    return Err(invalid(&wrong(found, &format!("expected {n} numbers"))));
                }
            }
        }
        Ok(Some(numbers))
    }
}

/// A cell: row from the top and column from the left, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stone {
    /// Row from the top.
    pub x: usize,
    /// Column from the left.
    pub y: usize,
}

impl Stone {
    /// The framed message: length in four bytes, big-endian, then `row column`.
    pub fn framed(self) -> Vec<u8> {
        let body = format!("{} {}", self.x, self.y);
        let mut bytes = u32::try_from(body.len()).expect("two numbers are short").to_be_bytes().to_vec();
        bytes.extend_from_slice(body.as_bytes());
        bytes
    }

    /// Parses `row column`.
    pub fn parse(text: &str) -> Option<Stone> {
        let mut words = text.split_whitespace().map(|word| word.parse().ok());
        match (words.next(), words.next(), words.next()) {
            (Some(Some(x)), Some(Some(y)), None) => Some(Stone { x, y }),
            _ => None,
        }
    }

    /// The last stone played, if any.
    pub fn last_of(picture: &Picture) -> Option<Stone> {
        let cell = picture.cells.iter().position(|cell| cell.last)?;
        Some(Stone { x: cell / picture.columns, y: cell % picture.columns })
    }

    /// The cell in Banyan's notation, `d3`; `None` off the board.
    pub fn name(self, board: &Start) -> Option<String> {
        let is_on_board = self.x < board.rows && self.y < board.columns.min(26);
        is_on_board.then(|| format!("{}{}", char::from(b'a' + self.y as u8), board.rows - self.x))
    }
}

impl fmt::Display for Stone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.x, self.y)
    }
}

/// The first line: `rows columns hole_row hole_column`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The hole; `-1 -1` if there is none.
    pub hole: Option<Stone>,
}

impl Start {
    /// The board in this form; `None` if it has more than one hole.
    pub fn of(picture: &Picture) -> Option<Start> {
        let Picture { rows, columns, .. } = *picture;
        let cells = picture.cells.iter().enumerate().filter(|(_, cell)| cell.hole);
        let mut holes = cells.map(|(i, _)| Stone { x: i / columns, y: i % columns });
        let hole = holes.next();
        holes.next().is_none().then_some(Start { rows, columns, hole })
    }

    /// Reads the board; `None` at the end of input.
    ///
    /// # Errors
    /// A stream error, or an invalid board (as invalid data).
    pub fn read(numbers: &mut Numbers<impl BufRead>) -> io::Result<Option<Start>> {
        let Some(given) = numbers.next_numbers(4)? else { return Ok(None) };
        let side = |number: i64| (1..=LARGEST_SIDE).contains(&number).then_some(number as usize);
        let size = side(given[0]).zip(side(given[1]));
        let (rows, columns) =
            size.ok_or_else(|| invalid(&wrong(format!("board {given:?}"), "expected rows and columns")))?;
        let hole = cell(given[2], given[3], rows, columns)?;
        Ok(Some(Start { rows, columns, hole }))
    }

    /// The game specification for the catalog.
    pub fn spec(&self) -> String {
        let hole = self.hole.and_then(|hole| hole.name(self)).map(|name| format!(",hole={name}"));
        format!("connect-four:{}x{}{}", self.rows, self.columns, hole.unwrap_or_default())
    }
}

impl fmt::Display for Start {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} ", self.rows, self.columns)?;
        f.write_str(&cell_text(self.hole))
    }
}

/// The message that starts a side's turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The opponent's last stone.
    pub last: Option<Stone>,
    /// For each column, the number of free rows from the top; the next stone lands on row `top - 1`.
    pub top: Vec<usize>,
    /// Row by row from the top: 0 empty or hole, 1 opponent, 2 own.
    pub board: Vec<u8>,
}

impl Turn {
    /// Reads a turn on the board `start`; `None` at the end of input.
    ///
    /// # Errors
    /// A stream error, or an invalid turn (as invalid data).
    pub fn read(numbers: &mut Numbers<impl BufRead>, start: &Start) -> io::Result<Option<Turn>> {
        let Start { rows, columns, .. } = *start;
        let Some(given) = numbers.next_numbers(2 + columns + rows * columns)? else { return Ok(None) };
        let (last, rest) = given.split_at(2);
        let (top, board) = rest.split_at(columns);
        let is_turn = top.iter().all(|&top| (0..=rows as i64).contains(&top))
            && board.iter().all(|owner| (0..=2).contains(owner));
        if !is_turn {
            let expected = format!("expected {columns} tops of at most {rows}, then cells of 0, 1 or 2");
            return Err(invalid(&wrong("invalid turn".to_owned(), &expected)));
        }
        let last = cell(last[0], last[1], rows, columns)?;
        let top = top.iter().map(|&top| top as usize).collect();
        Ok(Some(Turn { last, top, board: board.iter().map(|&owner| owner as u8).collect() }))
    }

    /// The message for `side`, the side to move.
    pub fn of_picture(picture: &Picture, side: Side) -> Turn {
        let last = Stone::last_of(picture);
        let owner = |cell: &Cell| cell.owner.map_or(0, |owner| if owner == side { 2 } else { 1 });
        let top = |column: usize| {
            let rows = picture.cells.iter().skip(column).step_by(picture.columns);
            let landing = rows.enumerate().find(|(_, cell)| cell.legal);
            landing.map_or(0, |(row, _)| row + 1)
        };
        Turn { last, top: (0..picture.columns).map(top).collect(), board: picture.cells.iter().map(owner).collect() }
    }

    /// The side to move: the first if both have the same number of stones, else the second.
    pub fn side(&self) -> Side {
        let count = |owner: u8| self.board.iter().filter(|&&other| other == owner).count();
        if count(1) == count(2) { Side::First } else { Side::Second }
    }

    /// The position in Banyan's notation.
    pub fn position(&self, start: &Start) -> String {
        let side = self.side();
        let sign = |side: Side| if side == Side::First { "x" } else { "o" };
        let mark = |x: usize, y: usize, owner: u8| match owner {
            _ if start.hole == Some(Stone { x, y }) => Some("-"),
            0 => None,
            1 => Some(sign(!side)),
            _ => Some(sign(side)),
        };
        let row = |(x, owners): (usize, &[u8])| {
            let marks: Vec<Option<&str>> = owners.iter().enumerate().map(|(y, &owner)| mark(x, y, owner)).collect();
            let runs = marks.chunk_by(|a, b| a.is_none() && b.is_none());
            runs.map(|run| run[0].map_or_else(|| run.len().to_string(), str::to_owned)).collect::<String>()
        };
        let rows: Vec<String> = self.board.chunks(start.columns).enumerate().map(row).collect();
        format!("{} {}", rows.join("/"), sign(side))
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&cell_text(self.last))?;
        self.top.iter().try_for_each(|top| write!(f, " {top}"))?;
        self.board.iter().try_for_each(|owner| write!(f, " {owner}"))
    }
}

/// A cell, or `-1 -1` for none.
fn cell_text(cell: Option<Stone>) -> String {
    cell.map_or_else(|| "-1 -1".to_owned(), |cell| cell.to_string())
}

/// A cell of the board; `None` for -1 -1.
fn cell(x: i64, y: i64, rows: usize, columns: usize) -> io::Result<Option<Stone>> {
    if (x, y) == (-1, -1) {
        return Ok(None);
    }
    if (0..rows as i64).contains(&x) && (0..columns as i64).contains(&y) {
        return Ok(Some(Stone { x: x as usize, y: y as usize }));
    }
    Err(invalid(&wrong(format!("cell {x} {y}"), &format!("expected a cell of the {rows}x{columns} board, or -1 -1"))))
}

fn wrong(found: String, expected: &str) -> TextError {
    TextError::new(found, expected, "use the format of Saiblo")
}

fn invalid(err: &TextError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, err.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(text: &str) -> io::Result<Option<Start>> {
        Start::read(&mut Numbers::new(text.as_bytes()))
    }

    /// Row 0 is at the top: on 10 rows it is Banyan's row 10.
    #[test]
    fn the_hole_is_counted_from_the_top() {
        for (text, spec) in [
            ("10 11 7 3\n", "connect-four:10x11,hole=d3"),
            ("9 12 0 0", "connect-four:9x12,hole=a9"),
            ("12 9 11 8 ", "connect-four:12x9,hole=i1"),
            ("6 7 -1 -1", "connect-four:6x7"),
        ] {
            let start = start(text).expect(text).expect(text);
            assert_eq!(start.spec(), spec);
            assert_eq!(start.to_string(), text.trim());
        }
        assert_eq!(start(" \n").expect("the end"), None);
        for text in ["10 11 7", "0 11 0 0", "10 11 10 0", "10 11 -1 0", "10 x 0 0", "1000000000000000000000 1 1 1"] {
            assert!(start(text).is_err(), "{text}");
        }
    }

    /// After stones on d1 (first side), d2 (second side) and c1, the second side is to move.
    ///
    /// ```text
    /// 3  .  .  -  .
    /// 2  .  .  .  o
    /// 1  .  .  x  x
    ///    a  b  c  d
    /// ```
    #[test]
    fn a_turn_is_seen_by_the_side_that_is_asked() {
        let start = Start { rows: 3, columns: 4, hole: Some(Stone { x: 0, y: 2 }) };
        let text = "2 2 3 3 2 1 0 0 0 0 0 0 0 2 0 0 1 1";
        let turn = Turn::read(&mut Numbers::new(text.as_bytes()), &start).expect(text).expect(text);
        assert_eq!((turn.side(), turn.last), (Side::Second, Some(Stone { x: 2, y: 2 })));
        assert_eq!(turn.position(&start), "2-1/3o/2xx o");
        assert_eq!(turn.to_string(), text);
        for text in ["2 2 3 3 2 1 0 0", "2 2 3 3 2 4 0 0 0 0 0 0 0 2 0 0 1 1", "2 2 3 3 2 1 0 0 0 0 0 0 0 3 0 0 1 1"] {
            assert!(Turn::read(&mut Numbers::new(text.as_bytes()), &start).is_err(), "{text}");
        }
    }
}
