//! The size of a board, and the numbering of its edges and boxes.

use banyan_core::TextError;

/// Direction of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// From one dot to the next on its right.
    Horizontal,
    /// From one dot to the next below.
    Vertical,
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
}

/// A board of `rows` x `columns` boxes.
///
/// Rows count from the top and columns from the left, both from 0. Edges are numbered as OpenSpiel numbers its actions:
/// first the horizontal lines row by row, `row * columns + column`, then the vertical ones,
/// `(rows + 1) * columns + row * (columns + 1) + column`. Box `row * columns + column` lies below horizontal edge
/// number `row * columns + column`. On one box:
///
/// ```text
/// + 0 +
/// 2   3
/// + 1 +
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    rows: u32,
    columns: u32,
}

impl Default for Shape {
    /// 5x5 boxes, the board of the computer championships.
    fn default() -> Shape {
        Shape { rows: 5, columns: 5 }
    }
}

impl Shape {
    /// Most edges of a board: one bit of the widest word (192) is reserved for the rules.
    pub const MAX_EDGES: u32 = 191;

    /// The board of `rows` x `columns` boxes.
    ///
    /// # Errors
    /// No row or column, or more than [`MAX_EDGES`](Shape::MAX_EDGES) edges.
    pub fn new(rows: u32, columns: u32) -> Result<Shape, TextError> {
        let edges = u128::from(rows) * (u128::from(columns) + 1) + u128::from(columns) * (u128::from(rows) + 1);
        if rows == 0 || columns == 0 || edges > u128::from(Shape::MAX_EDGES) {
            let expected =
                format!("expected 1x1 or more boxes with at most {} edges (this has {edges})", Shape::MAX_EDGES);
            return Err(TextError::new(format!("dots-and-boxes:{rows}x{columns}"), expected, "try dots-and-boxes:9x9"));
        }
        Ok(Shape { rows, columns })
    }

    /// Parses `5x6` as five rows of six boxes, and empty options as 5x5.
    ///
    /// # Errors
    /// Text that is not a size, or a size that [`new`](Shape::new) refuses.
    pub fn parse(options: &str) -> Result<Shape, TextError> {
        if options.is_empty() {
            return Ok(Shape::default());
        }
        let sides = options.split_once(['x', 'X']).and_then(|(rows, columns)| {
            let side = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
            Some((side(rows)?, side(columns)?))
        });
        let Some((rows, columns)) = sides else {
            let found = format!("dots-and-boxes:{}", options.escape_debug());
            let side = options.parse().ok().filter(|&side| Shape::new(side, side).is_ok()).unwrap_or(5);
            let remedy = format!("try dots-and-boxes:{side}x{side}");
            return Err(TextError::new(found, "expected a size, rows x columns of boxes", remedy));
        };
        Shape::new(rows, columns)
    }

    /// The options that [`parse`](Shape::parse) reads as this shape: empty for 5x5.
    pub fn options(self) -> String {
        if self == Shape::default() { String::new() } else { self.size() }
    }

    /// The size, also if it is the default: `5x5`.
    pub(super) fn size(self) -> String {
        format!("{}x{}", self.rows, self.columns)
    }

    /// Rows of boxes.
    pub fn rows(self) -> u32 {
        self.rows
    }

    /// Columns of boxes.
    pub fn columns(self) -> u32 {
        self.columns
    }

    /// Number of boxes.
    pub fn n_boxes(self) -> u32 {
        self.rows * self.columns
    }

    /// Number of edges, which is also the length of every game.
    pub fn n_edges(self) -> u32 {
        self.n_horizontal() + self.rows * (self.columns + 1)
    }

    /// Bits that a board word must have at least, for [`DotsAndBoxes::new`](super::DotsAndBoxes::new).
    pub fn bits(self) -> u32 {
        self.n_edges() + 1
    }

    /// The narrowest board word that holds this shape.
    pub fn word(self) -> Word {
        match self.bits() {
            0..=64 => Word::One,
            65..=128 => Word::Two,
            _ => Word::Three,
        }
    }

    /// Direction, row and column of `edge`.
    pub fn place(self, edge: u8) -> (Line, u32, u32) {
        let edge = u32::from(edge);
        debug_assert!(edge < self.n_edges(), "edge {edge} of {self:?}");
        match edge.checked_sub(self.n_horizontal()) {
            None => (Line::Horizontal, edge / self.columns, edge % self.columns),
            Some(vertical) => (Line::Vertical, vertical / (self.columns + 1), vertical % (self.columns + 1)),
        }
    }

    /// The edge at this place; `None` off the board.
    pub fn edge(self, line: Line, row: u32, column: u32) -> Option<u8> {
        let (more_rows, more_columns) = match line {
            Line::Horizontal => (1, 0),
            Line::Vertical => (0, 1),
        };
        let inside = row < self.rows + more_rows && column < self.columns + more_columns;
        inside.then(|| match line {
            Line::Horizontal => (row * self.columns + column) as u8,
            Line::Vertical => (self.n_horizontal() + row * (self.columns + 1) + column) as u8,
        })
    }

    /// The four edges of box number `number`: above, below, left, right.
    pub fn sides(self, number: u32) -> [u8; 4] {
        let (row, column) = (number / self.columns, number % self.columns);
        let edge = |line, row, column| self.edge(line, row, column).expect("the box lies on the board");
        [
            edge(Line::Horizontal, row, column),
            edge(Line::Horizontal, row + 1, column),
            edge(Line::Vertical, row, column),
            edge(Line::Vertical, row, column + 1),
        ]
    }

    /// Edges on each line of the position text: the horizontal lines, then the vertical ones.
    pub(super) fn line_lengths(self) -> impl Iterator<Item = usize> {
        let horizontal = (0..=self.rows).map(move |_| self.columns as usize);
        horizontal.chain((0..self.rows).map(move |_| self.columns as usize + 1))
    }

    fn n_horizontal(self) -> u32 {
        (self.rows + 1) * self.columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_numbered_as_openspiel_numbers_its_actions() {
        // The two edges of the table in OpenSpiel's own words: P1(h,4,3) is action 23 and P1(v,2,1) action 43.
        let shape = Shape::default();
        assert_eq!(shape.edge(Line::Horizontal, 4, 3), Some(23));
        assert_eq!(shape.edge(Line::Vertical, 2, 1), Some(43));
        assert_eq!(shape.n_edges(), 60);
        for edge in 0..60 {
            let (line, row, column) = shape.place(edge);
            assert_eq!(shape.edge(line, row, column), Some(edge));
        }
        assert_eq!(shape.edge(Line::Horizontal, 6, 0), None);
        assert_eq!(shape.edge(Line::Horizontal, 5, 5), None);
        assert_eq!(shape.edge(Line::Vertical, 5, 0), None);
        assert_eq!(shape.edge(Line::Vertical, 4, 6), None);
    }

    #[test]
    fn sizes_are_read_and_refused() {
        let check = |options: &str, expected: Option<(u32, u32, u32)>| {
            let found = Shape::parse(options).ok().map(|shape| (shape.rows, shape.columns, shape.n_edges()));
            assert_eq!(found, expected, "{options:?}");
        };
        check("", Some((5, 5, 60)));
        check("1x1", Some((1, 1, 4)));
        check("2X3", Some((2, 3, 17)));
        check("9x9", Some((9, 9, 180)));
        check("1x63", Some((1, 63, 190)));
        for refused in ["0x3", "3x0", "10x10", "1x64", "5", "x", "5x", "5x5x5", " 5x5", "5x5 ", "+5x5", "-1x5", "5×5"]
        {
            check(refused, None);
        }
        check("99999999999x1", None);
        assert_eq!(Shape::parse("1x20").map(Shape::word), Ok(Word::One), "62 edges");
        assert_eq!(Shape::parse("1x21").map(Shape::word), Ok(Word::Two), "64 edges, and one bit to spare");
        assert_eq!(Shape::parse("8x8").map(Shape::word), Ok(Word::Three), "144 edges");
        check("4294967295x4294967295", None);
    }

    #[test]
    fn the_error_on_a_size_out_of_range_has_a_remedy() {
        let err = Shape::parse("10x10").expect_err("220 edges");
        let line = "dots-and-boxes:10x10: expected 1x1 or more boxes with at most 191 edges (this has 220); try dots-and-boxes:9x9";
        assert_eq!(err.to_string(), line);
        for (options, remedy) in [("3", "try dots-and-boxes:3x3"), ("99", "try dots-and-boxes:5x5")] {
            assert_eq!(Shape::parse(options).expect_err("one number").remedy, remedy);
        }
    }
}
