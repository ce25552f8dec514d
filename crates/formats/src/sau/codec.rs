//! The lines of both sides as types.

use std::fmt;
use std::str::FromStr;

use banyan_core::{Side, TextError};

use crate::words::split_word;

/// Maximum length of a line in bytes, including its end; the platform's buffer of 256 bytes needs one more.
pub const LONGEST_LINE: usize = 255;

/// An edge: `AED` is the horizontal one in row E, column D; `BBC` the vertical one in column B, row C. Rows are counted
/// from the top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Whether it is horizontal.
    pub is_horizontal: bool,
    /// Row of its first dot, from 0.
    pub row: u8,
    /// Column of its first dot, from 0.
    pub column: u8,
}

impl Edge {
    /// The edge of a move in Banyan's notation: `h4,3`, `v2,1`.
    pub fn of_move(mv: &str) -> Option<Edge> {
        let is_horizontal = match mv.bytes().next()? {
            b'h' => true,
            b'v' => false,
            _ => return None,
        };
        let (row, column) = mv[1..].split_once(',')?;
        let number = |text: &str| text.parse().ok().filter(|&number: &u8| number < 26);
        Some(Edge { is_horizontal, row: number(row)?, column: number(column)? })
    }

    /// The move in Banyan's notation.
    pub fn as_move(self) -> String {
        format!("{}{},{}", if self.is_horizontal { 'h' } else { 'v' }, self.row, self.column)
    }

    /// The edge given by three letters.
    fn parse(letters: &[u8]) -> Option<Edge> {
        let &[kind, first, second] = letters else { return None };
        let number = |letter: u8| letter.is_ascii_uppercase().then(|| letter - b'A');
        match kind {
            b'A' => Some(Edge { is_horizontal: true, row: number(first)?, column: number(second)? }),
            b'B' => Some(Edge { is_horizontal: false, row: number(second)?, column: number(first)? }),
            _ => None,
        }
    }
}

impl FromStr for Edge {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Edge, TextError> {
        let expected = "expected three letters, starting with A or B";
        Edge::parse(text.as_bytes()).ok_or_else(|| TextError::new(format!("edge {text:?}"), expected, "try AED"))
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |number: u8| char::from(b'A' + number);
        let (kind, first, second) =
            if self.is_horizontal { ('A', self.row, self.column) } else { ('B', self.column, self.row) };
        write!(f, "{kind}{}{}", letter(first), letter(second))
    }
}

/// The edges of one turn: `3 AAABABAED`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn(pub Vec<Edge>);

impl FromStr for Turn {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Turn, TextError> {
        let wrong = |expected: &str| TextError::new(format!("move {text:?}"), expected, "write it as 1 AED");
        let (count, letters) = split_word(text);
        if letters.is_empty() {
            return Err(wrong("expected the number of edges and their letters"));
        }
        let letters = letters.as_bytes();
        let edges = letters.chunks(3).map(Edge::parse).collect::<Option<Vec<_>>>();
        let edges = edges.ok_or_else(|| wrong("expected three letters per edge, starting with A or B"))?;
        if edges.is_empty() || count.parse() != Ok(edges.len()) {
            return Err(wrong("expected the given number of edges"));
        }
        Ok(Turn(edges))
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.0.len())?;
        self.0.iter().try_for_each(|edge| write!(f, "{edge}"))
    }
}

/// A command from the platform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToEngine {
    /// `name?`
    Name,
    /// `new black`: a new game, in which the engine plays this side. Black moves at once.
    New(Side),
    /// `move 1 AED`: the opponent's turn.
    Move(Turn),
    /// `error`: the engine's last turn was invalid and is taken back.
    Error,
    /// `end`: the game is over, optionally with its winner.
    End(Option<Side>),
    /// `quit`: exit.
    Quit,
}

impl ToEngine {
    /// Parses a line; `None` for commands of other games.
    ///
    /// # Errors
    /// An invalid side or turn.
    pub fn parse(line: &str) -> Result<Option<ToEngine>, TextError> {
        let (name, rest) = split_word(line);
        Ok(Some(match name {
            "name?" => ToEngine::Name,
            "new" => ToEngine::New(side(rest)?),
            "move" => ToEngine::Move(rest.parse()?),
            "error" => ToEngine::Error,
            "end" if rest.is_empty() => ToEngine::End(None),
            "end" => ToEngine::End(Some(side(rest)?)),
            "quit" => ToEngine::Quit,
            _ => return Ok(None),
        }))
    }
}

impl fmt::Display for ToEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToEngine::Name => f.write_str("name?"),
            ToEngine::New(side) => write!(f, "new {}", side_name(*side)),
            ToEngine::Move(turn) => write!(f, "move {turn}"),
            ToEngine::Error => f.write_str("error"),
            ToEngine::End(None) => f.write_str("end"),
            ToEngine::End(Some(winner)) => write!(f, "end {}", side_name(*winner)),
            ToEngine::Quit => f.write_str("quit"),
        }
    }
}

/// A line from the engine; other lines are ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromEngine {
    /// `name Banyan`
    Name(String),
    /// `move 1 AED`
    Move(Turn),
}

impl FromEngine {
    /// Parses a line; `None` for lines to ignore.
    ///
    /// # Errors
    /// An invalid turn.
    pub fn parse(line: &str) -> Result<Option<FromEngine>, TextError> {
        match split_word(line) {
            ("name", name) if !name.is_empty() => Ok(Some(FromEngine::Name(name.to_owned()))),
            ("move", turn) if !turn.is_empty() => Ok(Some(FromEngine::Move(turn.parse()?))),
            _ => Ok(None),
        }
    }
}

impl fmt::Display for FromEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FromEngine::Name(name) => write!(f, "name {name}"),
            FromEngine::Move(turn) => write!(f, "move {turn}"),
        }
    }
}

fn side(text: &str) -> Result<Side, TextError> {
    match text {
        "black" => Ok(Side::First),
        "white" => Ok(Side::Second),
        _ => Err(TextError::new(format!("side {text:?}"), "expected black or white", "use one of them")),
    }
}

pub(super) fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "black",
        Side::Second => "white",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edges in both notations; the first two are the examples of docs/protocols.md.
    #[test]
    fn edges_are_those_of_the_platform() {
        for (letters, mv) in [("AED", "h4,3"), ("BBC", "v2,1"), ("AFE", "h5,4"), ("BFE", "v4,5"), ("AAA", "h0,0")] {
            let edge = Edge::parse(letters.as_bytes()).expect(letters);
            assert_eq!(edge.as_move(), mv);
            assert_eq!(Edge::of_move(mv), Some(edge));
            assert_eq!(edge.to_string(), letters);
        }
        for mv in ["", "x1,2", "h1", "h26,0", "v,", "é1,2", "h-1,0"] {
            assert_eq!(Edge::of_move(mv), None, "{mv}");
        }
    }

    #[test]
    fn lines_of_the_platform_are_read_and_printed() {
        let turn = Turn(vec![Edge { is_horizontal: true, row: 4, column: 3 }]);
        for (line, command) in [
            ("name?", ToEngine::Name),
            ("new black", ToEngine::New(Side::First)),
            ("new white", ToEngine::New(Side::Second)),
            ("move 1 AED", ToEngine::Move(turn.clone())),
            ("error", ToEngine::Error),
            ("end", ToEngine::End(None)),
            ("end white", ToEngine::End(Some(Side::Second))),
            ("quit", ToEngine::Quit),
        ] {
            assert_eq!(ToEngine::parse(line), Ok(Some(command.clone())), "{line}");
            assert_eq!(command.to_string(), line);
        }
        assert_eq!(ToEngine::parse("take 3 AA"), Ok(None));
        for (line, answer) in
            [("name Banyan 1", FromEngine::Name("Banyan 1".into())), ("move 1 AED", FromEngine::Move(turn))]
        {
            assert_eq!(FromEngine::parse(line), Ok(Some(answer.clone())), "{line}");
            assert_eq!(answer.to_string(), line);
        }
        assert_eq!(FromEngine::parse("thinking"), Ok(None));
        let tabbed = FromEngine::parse("\tmove\t1 \t AED\r");
        assert_eq!(tabbed, FromEngine::parse("move 1 AED"));
        assert_eq!(ToEngine::parse(" new\tblack "), Ok(Some(ToEngine::New(Side::First))));
    }

    #[test]
    fn turns_that_are_none_are_refused() {
        for turn in
            ["", "1", "1 ", "0 ", "2 AED", "1 AEDBBC", "1 AE", "1 CED", "1 AeD", "x AED", "1 AÉ", "-1 AED", "1 A D"]
        {
            assert!(turn.parse::<Turn>().is_err(), "{turn}");
        }
        assert!(ToEngine::parse("new red").is_err());
    }
}
