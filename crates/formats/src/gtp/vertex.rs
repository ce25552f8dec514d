//! Sides and moves: `b`, `white`, `F5`, `pass`.

use std::fmt;

use banyan_core::Side;

/// The letters of the columns; there is no I.
const COLUMNS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// A side by the colour of its discs. Black begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color(pub Side);

impl Color {
    /// The colour that `text` names, in any letter case.
    pub fn parse(text: &str) -> Option<Color> {
        match text.to_ascii_lowercase().as_str() {
            "b" | "black" => Some(Color(Side::First)),
            "w" | "white" => Some(Color(Side::Second)),
            _ => None,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Side::First => "black",
            Side::Second => "white",
        })
    }
}

/// A vertex as in GTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vertex {
    /// A square, by column from the left and row from the top, both from 0.
    Square {
        /// Column from the left, at most 24.
        column: u8,
        /// Row from the top, at most 24.
        row: u8,
    },
    /// No square.
    Pass,
    /// Resignation, only as the answer to `genmove`.
    Resign,
}

impl Vertex {
    /// The vertex that `text` names, in any letter case.
    pub fn parse(text: &str) -> Option<Vertex> {
        match text.to_ascii_lowercase().as_str() {
            "pass" => return Some(Vertex::Pass),
            "resign" => return Some(Vertex::Resign),
            _ => {}
        }
        let letter = text.bytes().next()?.to_ascii_uppercase();
        let column = COLUMNS.iter().position(|&known| known == letter)?;
        let row = number(&text[1..])?.checked_sub(1).filter(|&row| row < 25)?;
        Some(Vertex::Square { column: column as u8, row })
    }

    /// The vertex of a move of Reversi in Banyan's notation, which omits no letter: `f5`, `pass`.
    pub fn of_move(mv: &str) -> Option<Vertex> {
        if mv.eq_ignore_ascii_case("pass") {
            return Some(Vertex::Pass);
        }
        let letter = mv.bytes().next().filter(u8::is_ascii_alphabetic)?.to_ascii_lowercase();
        let (column, row) = (letter - b'a', number(&mv[1..])?.checked_sub(1)?);
        (column < 25 && row < 25).then_some(Vertex::Square { column, row })
    }

    /// The move of Reversi in Banyan's notation; `None` for resignation.
    pub fn as_move(self) -> Option<String> {
        match self {
            Vertex::Square { column, row } => Some(format!("{}{}", char::from(b'a' + column), row + 1)),
            Vertex::Pass => Some("pass".to_owned()),
            Vertex::Resign => None,
        }
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Vertex::Square { column, row } => write!(f, "{}{}", column_letter(usize::from(column)), row + 1),
            Vertex::Pass => f.write_str("pass"),
            Vertex::Resign => f.write_str("resign"),
        }
    }
}

/// The letter of a column, from 0.
///
/// # Panics
/// `column` is over 24.
pub fn column_letter(column: usize) -> char {
    char::from(COLUMNS[column])
}

/// A number of one or two digits.
fn number(text: &str) -> Option<u8> {
    let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_and_vertices_say_the_same() {
        for (vertex, mv) in [("F5", "f5"), ("A1", "a1"), ("H8", "h8"), ("pass", "pass"), ("J9", "i9"), ("K10", "j10")] {
            let read = Vertex::parse(vertex).expect(vertex);
            assert_eq!(read.as_move().as_deref(), Some(mv));
            assert_eq!(Vertex::of_move(mv), Some(read));
            assert_eq!(read.to_string(), vertex);
            assert_eq!(Vertex::parse(&vertex.to_ascii_lowercase()), Some(read));
        }
        assert_eq!(Vertex::parse("RESIGN"), Some(Vertex::Resign));
    }

    /// GoGui and Edax count rows from the top: the first moves are d3, c4, f5 and e6, not d6, c5, f4 and e3.
    #[test]
    fn rows_are_counted_from_the_top() {
        assert_eq!(Vertex::parse("d3"), Some(Vertex::Square { column: 3, row: 2 }));
    }

    #[test]
    fn what_is_no_vertex_is_refused() {
        for text in ["", "5", "f", "f0", "i5", "f26", "f123", "f5x", "ff5", "f+5", "é5", "a\u{0661}"] {
            assert_eq!(Vertex::parse(text), None, "{text}");
        }
        for text in ["", "z26", "é1", "5", "f"] {
            assert_eq!(Vertex::of_move(text), None, "{text}");
        }
    }

    #[test]
    fn colours_have_two_names() {
        for (text, color) in [("b", "black"), ("Black", "black"), ("W", "white"), ("white", "white")] {
            assert_eq!(Color::parse(text).expect(text).to_string(), color);
        }
        assert_eq!(Color::parse("blanc"), None);
    }
}
