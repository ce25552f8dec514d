//! An edge of a record: `r(d2,h)`.

use std::fmt;
use std::ops::Not;

use crate::sau::Edge;

/// Rows and columns of the board, in boxes.
pub(super) const BOXES: u8 = 5;

/// A side of a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Color {
    /// `R`, `r`
    #[default]
    Red,
    /// `B`, `b`
    Blue,
}

impl Not for Color {
    type Output = Color;

    fn not(self) -> Color {
        match self {
            Color::Red => Color::Blue,
            Color::Blue => Color::Red,
        }
    }
}

impl Color {
    /// `r` or `b`.
    pub(super) fn letter(self) -> char {
        match self {
            Color::Red => 'r',
            Color::Blue => 'b',
        }
    }
}

/// An edge and the color that drew it: `r(d2,h)` is the horizontal edge to the right of dot d2, drawn by red, `b(b3,v)`
/// the vertical one above dot b3. Columns are letters from the left, rows are numbers from the bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The color that drew it.
    pub color: Color,
    /// The edge, with rows counted from the top.
    pub edge: Edge,
}

impl Entry {
    /// Parses an entry such as `r(d2,h)`.
    ///
    /// # Errors
    /// A description of the expected text.
    pub(super) fn parse(text: &str) -> Result<Entry, &'static str> {
        let parts = text.split_once('(').and_then(|(color, rest)| {
            let (dot, direction) = rest.strip_suffix(')')?.split_once(',')?;
            Some((color, dot, direction))
        });
        let (color, dot, direction) = parts.ok_or("expected an edge such as r(a1,h)")?;
        let color = match color {
            "r" => Color::Red,
            "b" => Color::Blue,
            _ => return Err("expected r or b before the bracket"),
        };
        let is_horizontal = match direction {
            "h" => true,
            "v" => false,
            _ => return Err("expected h or v after the comma"),
        };
        let expected = if is_horizontal {
            "expected a dot a1 to e6, where a horizontal edge begins"
        } else {
            "expected a dot a1 to f5, where a vertical edge begins"
        };
        let (columns, rows) = if is_horizontal { (BOXES, BOXES + 1) } else { (BOXES + 1, BOXES) };
        let &[column, row] = dot.as_bytes() else { return Err(expected) };
        let (column, row) = (column.wrapping_sub(b'a'), row.wrapping_sub(b'1'));
        if column >= columns || row >= rows {
            return Err(expected);
        }
        Ok(Entry { color, edge: Edge { is_horizontal, row: rows - 1 - row, column } })
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Edge { is_horizontal, row, column } = self.edge;
        let (top, direction) = if is_horizontal { (BOXES + 1, 'h') } else { (BOXES, 'v') };
        write!(f, "{}({}{},{direction})", self.color.letter(), char::from(b'a' + column), top - row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges as in records of the championship, and the corners.
    #[test]
    fn edges_are_those_of_the_championship() {
        for (text, mv) in [
            ("r(d2,h)", "h4,3"),
            ("b(b3,v)", "v2,1"),
            ("r(a1,h)", "h5,0"),
            ("b(e6,h)", "h0,4"),
            ("r(a1,v)", "v4,0"),
            ("r(f5,v)", "v0,5"),
        ] {
            let entry = Entry::parse(text).expect(text);
            assert_eq!((entry.to_string().as_str(), entry.edge.as_move().as_str()), (text, mv));
        }
    }

    #[test]
    fn what_is_no_edge_is_refused_with_what_is_wrong() {
        for (text, part) in [
            ("", "such as"),
            ("r(a1,h", "such as"),
            ("ra1,h)", "such as"),
            ("r(a1h)", "such as"),
            ("g(a1,h)", "r or b"),
            ("R(a1,h)", "r or b"),
            ("r(a1,d)", "h or v"),
            ("r(a1,h))", "h or v"),
            ("r(f1,h)", "a1 to e6"),
            ("r(a7,h)", "a1 to e6"),
            ("r(a0,h)", "a1 to e6"),
            ("r(A1,h)", "a1 to e6"),
            ("r(é,h)", "a1 to e6"),
            ("r(a10,h)", "a1 to e6"),
            ("r(g1,v)", "a1 to f5"),
            ("r(a6,v)", "a1 to f5"),
        ] {
            let err = Entry::parse(text).expect_err(text);
            assert!(err.contains(part), "{text}: {err}");
        }
    }
}
