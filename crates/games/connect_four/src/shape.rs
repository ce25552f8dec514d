//! The size and holes of a board, their text, and the numbering of cells in a board word.

use std::collections::BTreeSet;

use banyan_core::TextError;

/// Column and row offsets to the next cell of a line.
pub(super) const DIRECTIONS: [(i32, i32); 4] = [(0, 1), (1, -1), (1, 0), (1, 1)];

/// A cell: column from the left and row from the bottom, both from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Column from the left.
    pub column: u32,
    /// Row from the bottom.
    pub row: u32,
}

impl Place {
    /// Column letter and row counted from the bottom: `d3`.
    pub fn name(self) -> String {
        format!("{}{}", letter(self.column), self.row + 1)
    }

    /// Parses a column letter, in either case, and a row counted from the bottom; the cell need not be on the board.
    pub(super) fn parse(text: &str) -> Option<Place> {
        let mut chars = text.chars();
        let column = column_of_letter(chars.next()?)?;
        let row = number(chars.as_str())?;
        row.checked_sub(1).map(|row| Place { column, row })
    }

    /// The cell `columns` and `rows` away, which need not be on the board; `None` left of or below the first.
    pub(super) fn away(self, columns: i32, rows: i32) -> Option<Place> {
        let column = self.column.checked_add_signed(columns)?;
        let row = self.row.checked_add_signed(rows)?;
        Some(Place { column, row })
    }
}

/// The widths of board words, from narrow to wide. The narrowest that fits is the fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    /// `u64`.
    One,
    /// `u128`.
    Two,
    /// `[u64; 3]`.
    Three,
    /// `[u64; 4]`.
    Four,
}

/// Size and holes of a board.
///
/// Cells are numbered up the columns, with one spare bit on top of each: the carry of the sum that finds the landing
/// cells ends there, and lines cannot cross into the next column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    rows: u32,
    columns: u32,
    holes: BTreeSet<Place>,
}

impl Shape {
    /// Boards have at least this many rows and columns.
    pub const MIN_SIDE: u32 = 4;
    /// Boards have at most this many rows.
    pub const MAX_ROWS: u32 = 15;
    /// Boards have at most this many columns.
    pub const MAX_COLUMNS: u32 = 16;

    /// Parses `6x7,hole=d3,hole=e1`: rows x columns, then any number of holes. Either part may be left out; the default
    /// size is 6x7.
    ///
    /// # Errors
    /// A size out of range, a hole outside the board or named twice, holes that leave no cell or no line of four, or an
    /// unknown option.
    pub fn parse(options: &str) -> Result<Shape, TextError> {
        let mut shape = Shape::default();
        if options.trim().is_empty() {
            return Ok(shape);
        }
        for (i, option) in options.split(',').map(str::trim).enumerate() {
            match option.split_once('=') {
                Some(("hole", cell)) => shape.add_hole(cell)?,
                Some(("holes", _)) => return Err(drawn_holes(option)),
                None if i == 0 => (shape.rows, shape.columns) = parse_size(option)?,
                _ => return Err(unknown_option(option)),
            }
        }
        if shape.cells() == 0 {
            let found = format!("connect-four:{}", shape.options());
            return Err(TextError::new(found, "expected at least one cell without a hole", "leave a hole out"));
        }
        if !shape.has_a_line() {
            let found = format!("connect-four:{}", shape.options());
            let expected = "expected four cells in a line without a hole, as otherwise no side can win";
            return Err(TextError::new(found, expected, "leave a hole out"));
        }
        Ok(shape)
    }

    fn add_hole(&mut self, cell: &str) -> Result<(), TextError> {
        let corner = Place { column: self.columns - 1, row: self.rows - 1 };
        let hole = Place::parse(cell).filter(|&place| self.contains(place)).ok_or_else(|| {
            let expected =
                format!("expected a cell of the {}x{} board, a1 to {}", self.rows, self.columns, corner.name());
            TextError::new(
                format!("hole={cell}"),
                expected,
                "name column letter and row from the bottom, as in hole=d3",
            )
        })?;
        if !self.holes.insert(hole) {
            return Err(TextError::new(
                format!("hole={cell} twice"),
                "expected every hole named once",
                "leave one out",
            ));
        }
        Ok(())
    }

    /// Whether there is a line of four without a hole.
    fn has_a_line(&self) -> bool {
        let is_free = |from: Place, (columns, rows): (i32, i32), i: i32| {
            let there = from.away(columns * i, rows * i);
            there.is_some_and(|place| self.contains(place) && !self.is_hole(place))
        };
        let mut lines = self.places().flat_map(|place| DIRECTIONS.map(|direction| (place, direction)));
        lines.any(|(place, direction)| (0..4).all(|i| is_free(place, direction, i)))
    }

    /// The options that [`parse`](Shape::parse) reads as this shape: empty for 6x7 without holes, else the size and the
    /// holes in order.
    pub fn options(&self) -> String {
        if *self == Shape::default() {
            return String::new();
        }
        let holes = self.holes.iter().map(|hole| format!(",hole={}", hole.name()));
        format!("{}x{}{}", self.rows, self.columns, holes.collect::<String>())
    }

    /// Number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The holes, by column and then by row.
    pub fn holes(&self) -> impl Iterator<Item = Place> + '_ {
        self.holes.iter().copied()
    }

    /// Whether `place` is a hole.
    pub fn is_hole(&self, place: Place) -> bool {
        self.holes.contains(&place)
    }

    /// Whether `place` is on the board, hole or not.
    pub fn contains(&self, place: Place) -> bool {
        place.column < self.columns && place.row < self.rows
    }

    /// Every place on the board, up the columns from the left, holes included.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        (0..self.columns).flat_map(|column| (0..self.rows).map(move |row| Place { column, row }))
    }

    /// Number of cells that stones can be played on.
    pub fn cells(&self) -> u32 {
        self.rows * self.columns - self.holes.len() as u32
    }

    /// The cells that `First` gets when only the cell and those above it are free: the number of stones on the board is then
    /// even.
    pub(super) fn late_first(&self) -> impl Iterator<Item = Place> + '_ {
        self.places().filter(|&place| !self.is_hole(place)).filter(|&place| {
            let above = (place.row..self.rows).filter(|&row| !self.is_hole(Place { row, ..place }));
            (self.cells() - above.count() as u32).is_multiple_of(2)
        })
    }

    /// Whether the board equals its mirror image, as every board without holes does.
    pub fn is_symmetric(&self) -> bool {
        self.holes().all(|hole| self.is_hole(Place { column: self.columns - 1 - hole.column, ..hole }))
    }

    /// Bits from a column to the next.
    pub fn stride(&self) -> u32 {
        self.rows + 1
    }

    /// Number of bits a board word must have.
    pub fn bits(&self) -> u32 {
        self.stride() * self.columns
    }

    /// The narrowest board word that holds this shape.
    pub fn word(&self) -> Word {
        match self.bits() {
            0..=64 => Word::One,
            65..=128 => Word::Two,
            129..=192 => Word::Three,
            _ => Word::Four,
        }
    }

    /// The bit of `place`.
    pub fn bit(&self, place: Place) -> u32 {
        place.column * self.stride() + place.row
    }
}

impl Default for Shape {
    /// 6 rows and 7 columns without holes.
    fn default() -> Shape {
        Shape { rows: 6, columns: 7, holes: BTreeSet::new() }
    }
}

/// The letter of a column counted from 0.
pub(super) fn letter(column: u32) -> char {
    char::from(b'a' + column as u8)
}

/// The column, counted from 0, that a letter of either case names.
pub(super) fn column_of_letter(letter: char) -> Option<u32> {
    letter.is_ascii_alphabetic().then(|| u32::from(letter.to_ascii_lowercase()) - u32::from('a'))
}

/// Parses a number of digits only; numbers too large for any board are clamped.
pub(super) fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u32::MAX))
}

fn parse_size(text: &str) -> Result<(u32, u32), TextError> {
    let size = text.split_once(['x', 'X']).and_then(|(rows, columns)| Some((number(rows)?, number(columns)?)));
    let is_side = |side: u32| (Shape::MIN_SIDE..=Shape::MAX_ROWS.min(Shape::MAX_COLUMNS)).contains(&side);
    let (rows, columns) = size.ok_or_else(|| match number(text).filter(|&side| is_side(side)) {
        Some(side) => TextError { remedy: format!("try connect-four:{side}x{side}"), ..unknown_option(text) },
        None => unknown_option(text),
    })?;
    let nearest = |side: u32, max| side.clamp(Shape::MIN_SIDE, max);
    let (near_rows, near_columns) = (nearest(rows, Shape::MAX_ROWS), nearest(columns, Shape::MAX_COLUMNS));
    if (near_rows, near_columns) == (rows, columns) {
        return Ok((rows, columns));
    }
    let expected = if near_rows < rows || near_columns < columns {
        format!("expected at most {} rows and {} columns", Shape::MAX_ROWS, Shape::MAX_COLUMNS)
    } else {
        format!("expected at least {0} rows and {0} columns", Shape::MIN_SIDE)
    };
    let remedy = format!("try connect-four:{near_rows}x{near_columns}");
    Err(TextError::new(format!("connect-four:{text}"), expected, remedy))
}

/// `holes=N` belongs to the ranges of boards that matches take.
fn drawn_holes(option: &str) -> TextError {
    let expected = "expected holes named by their cells, as only matches and training draw them";
    TextError::new(format!("connect-four option {option:?}"), expected, "write it like connect-four:10x11,hole=d3")
}

fn unknown_option(option: &str) -> TextError {
    let expected = "expected rows x columns first, then holes";
    TextError::new(format!("connect-four option {option:?}"), expected, "write it like connect-four:10x11,hole=d3")
}
