//! The lines of both sides as types.

use std::fmt;
use std::str::FromStr;

use banyan_core::TextError;

use crate::words::split_word;
use banyan_catalog::quoted;

/// A move with optional evaluation and time: `F5/1.25/0.5`.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The move in Banyan's notation: `f5`, `pass`.
    pub mv: String,
    /// Expected margin in discs for the side that makes it.
    pub eval: Option<f64>,
    /// Seconds.
    pub time: Option<f64>,
}

impl Played {
    /// A move without evaluation and time.
    pub fn bare(mv: &str) -> Played {
        Played { mv: mv.to_owned(), eval: None, time: None }
    }

    /// Parses `F5`, `F5/1.25/0.5`, `F5//0.5`, and Edax's `f5 1.25 0.5`.
    pub fn parse(text: &str) -> Option<Played> {
        // With slashes a part may be empty, with white space it cannot.
        let is_slashed = text.contains('/');
        let mut parts = text.split(|char: char| if is_slashed { char == '/' } else { char.is_whitespace() });
        let mut parts = parts.by_ref().map(str::trim).filter(|part| is_slashed || !part.is_empty());
        let mv = read_move(parts.next()?)?;
        let mut number = || parts.next().and_then(|part| part.parse().ok()).filter(|number: &f64| number.is_finite());
        Some(Played { mv, eval: number(), time: number() })
    }
}

impl fmt::Display for Played {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written_move(&self.mv))?;
        match (self.eval, self.time) {
            (None, None) => Ok(()),
            (Some(eval), None) => write!(f, "/{eval:.2}"),
            (None, Some(time)) => write!(f, "//{time:.2}"),
            (Some(eval), Some(time)) => write!(f, "/{eval:.2}/{time:.2}"),
        }
    }
}

/// Converts `F5` and `PA` to Banyan's notation.
fn read_move(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    if ["pa", "pass", "ps", "--"].contains(&text.as_str()) {
        return Some("pass".to_owned());
    }
    let row = text.get(1..)?;
    let is_row = matches!(row.len(), 1 | 2) && row.bytes().all(|byte| byte.is_ascii_digit()) && !row.starts_with('0');
    (text.starts_with(|first: char| first.is_ascii_lowercase()) && is_row).then_some(text)
}

/// A move in NBoard's notation.
fn written_move(mv: &str) -> String {
    if mv == "pass" { "PA".to_owned() } else { mv.to_ascii_uppercase() }
}

/// A command from the GUI.
#[derive(Clone, Debug, PartialEq)]
pub enum ToEngine {
    /// `nboard 2`: the first command, with the version of the protocol.
    NBoard(u32),
    /// `set depth 12`: the search depth.
    Depth(u32),
    /// `set game (;GM[Othello]...;)`: the game so far, not parsed yet.
    Game(String),
    /// `set contempt 0`: the value of a draw for black.
    Contempt(i32),
    /// `move F5/1.25/0.5`: a move was played.
    Move(Played),
    /// `hint 3`: evaluate the best three moves.
    Hint(u32),
    /// `go`: choose a move.
    Go,
    /// `ping 7`: stop the search and answer.
    Ping(i64),
    /// `learn`: add the game to the book.
    Learn,
    /// `analyze`: evaluate every position of the game.
    Analyze,
    /// `quit`: exit.
    Quit,
}

impl ToEngine {
    /// Parses a line; `None` for unknown commands, which are ignored.
    ///
    /// # Errors
    /// A known command whose argument is missing or wrong.
    pub fn parse(line: &str) -> Result<Option<ToEngine>, TextError> {
        let (name, rest) = split_word(line);
        let argument = Argument { command: name, text: rest };
        Ok(Some(match name {
            "nboard" => ToEngine::NBoard(argument.number(1, " of at least 1")?),
            "set" => {
                let (name, text) = split_word(rest);
                match name {
                    "depth" => ToEngine::Depth(Argument { command: "set depth", text }.number(1, " of at least 1")?),
                    "contempt" => ToEngine::Contempt(Argument { command: "set contempt", text }.number(i32::MIN, "")?),
                    "game" => ToEngine::Game(text.to_owned()),
                    _ => return Ok(None),
                }
            }
            "move" => {
                let played = Played::parse(rest);
                ToEngine::Move(played.ok_or_else(|| argument.wrong("expected a square or PA", "send move F5"))?)
            }
            "hint" => ToEngine::Hint(argument.number(1, " of at least 1")?),
            "go" => ToEngine::Go,
            "ping" => ToEngine::Ping(argument.number(i64::MIN, "")?),
            "learn" => ToEngine::Learn,
            "analyze" => ToEngine::Analyze,
            "quit" => ToEngine::Quit,
            // In the first version of the protocol a move has no keyword.
            _ => return Ok(Played::parse(line).map(ToEngine::Move)),
        }))
    }

    /// Whether it ends a running search.
    pub fn ends_search(&self) -> bool {
        !matches!(self, ToEngine::NBoard(_) | ToEngine::Contempt(_) | ToEngine::Learn)
    }
}

impl fmt::Display for ToEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToEngine::NBoard(version) => write!(f, "nboard {version}"),
            ToEngine::Depth(depth) => write!(f, "set depth {depth}"),
            ToEngine::Game(game) => write!(f, "set game {game}"),
            ToEngine::Contempt(contempt) => write!(f, "set contempt {contempt}"),
            ToEngine::Move(played) => write!(f, "move {played}"),
            ToEngine::Hint(moves) => write!(f, "hint {moves}"),
            ToEngine::Go => f.write_str("go"),
            ToEngine::Ping(number) => write!(f, "ping {number}"),
            ToEngine::Learn => f.write_str("learn"),
            ToEngine::Analyze => f.write_str("analyze"),
            ToEngine::Quit => f.write_str("quit"),
        }
    }
}

/// The argument of a command.
struct Argument<'t> {
    command: &'t str,
    text: &'t str,
}

impl Argument<'_> {
    /// A whole number of at least `min`, which `range` names.
    fn number<N: FromStr + PartialOrd>(&self, min: N, range: &str) -> Result<N, TextError> {
        let number = self.text.parse().ok().filter(|number| *number >= min);
        let expected = format!("expected a whole number{range}");
        number.ok_or_else(|| self.wrong(&expected, &format!("send {} 12", self.command)))
    }

    fn wrong(&self, expected: &str, remedy: &str) -> TextError {
        TextError::new(format!("{} {}", self.command, quoted(self.text)), expected, remedy)
    }
}

/// A line from the engine.
#[derive(Clone, Debug, PartialEq)]
pub enum FromEngine {
    /// `set myname Banyan`
    Name(String),
    /// `status Thinking`: a status text to display.
    Status(String),
    /// `nodestats 35805 0.25`: positions searched and seconds so far.
    NodeStats {
        /// Positions.
        nodes: u64,
        /// Seconds.
        seconds: f64,
    },
    /// `search F5d6C3 1.25 0 12 text`: the evaluation of a move.
    Search {
        /// The principal variation in Banyan's notation, beginning with the move.
        pv: Vec<String>,
        /// Expected margin in discs for the side to move.
        eval: f64,
        /// Search depth, starting with a number; `100%W` means a proven win, draw or loss, `100%` a proven margin.
        depth: String,
        /// Any further text.
        text: String,
    },
    /// `=== F5/1.25/0.5`: the chosen move.
    Choice(Played),
    /// `pong 7`
    Pong(i64),
    /// `learned`
    Learned,
    /// `analysis 12 -3.5`: the evaluation of the position after 12 moves, for the side to move.
    Analysis {
        /// Moves played before, passes included.
        moves: u32,
        /// Expected margin in discs.
        eval: f64,
    },
}

impl FromEngine {
    /// Parses a line; `None` for lines to ignore.
    pub fn parse(line: &str) -> Option<FromEngine> {
        let (name, rest) = split_word(line);
        match name {
            "set" => match split_word(rest) {
                ("myname", name) => Some(FromEngine::Name(name.to_owned())),
                _ => None,
            },
            "status" => Some(FromEngine::Status(rest.to_owned())),
            "nodestats" => {
                let (nodes, seconds) = split_word(rest);
                Some(FromEngine::NodeStats { nodes: nodes.parse().ok()?, seconds: finite(seconds)? })
            }
            // A book move has a number of games where a searched move has 0.
            "search" | "book" => read_search(rest),
            "===" => Played::parse(rest).map(FromEngine::Choice),
            "pong" => rest.parse().ok().map(FromEngine::Pong),
            "learned" | "learn" => Some(FromEngine::Learned),
            "analysis" => {
                let (moves, eval) = split_word(rest);
                Some(FromEngine::Analysis { moves: moves.parse().ok()?, eval: finite(eval)? })
            }
            _ => None,
        }
    }
}

impl fmt::Display for FromEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FromEngine::Name(name) => write!(f, "set myname {name}"),
            FromEngine::Status(text) if text.is_empty() => f.write_str("status"),
            FromEngine::Status(text) => write!(f, "status {text}"),
            FromEngine::NodeStats { nodes, seconds } => write!(f, "nodestats {nodes} {seconds:.2}"),
            FromEngine::Search { pv, eval, depth, text } => {
                let pv: String = pv.iter().map(|mv| written_move(mv)).collect();
                write!(f, "search {pv} {eval:.2} 0 {depth}")?;
                if text.is_empty() { Ok(()) } else { write!(f, " {text}") }
            }
            FromEngine::Choice(played) => write!(f, "=== {played}"),
            FromEngine::Pong(number) => write!(f, "pong {number}"),
            FromEngine::Learned => f.write_str("learned"),
            FromEngine::Analysis { moves, eval } => write!(f, "analysis {moves} {eval:.2}"),
        }
    }
}

fn read_search(rest: &str) -> Option<FromEngine> {
    let (pv, rest) = split_word(rest);
    let (eval, rest) = split_word(rest);
    let (_games, rest) = split_word(rest);
    let (depth, text) = split_word(rest);
    let eval = finite(eval.split(',').next()?)?;
    Some(FromEngine::Search { pv: read_line_of_moves(pv)?, eval, depth: depth.to_owned(), text: text.to_owned() })
}

/// `F5d6C3`, `F5-D6-C3`: a letter and digits each, or a pass.
fn read_line_of_moves(text: &str) -> Option<Vec<String>> {
    let mut rest = text;
    let mut moves = Vec::new();
    loop {
        rest = rest.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or(rest);
        if rest.is_empty() {
            return (!moves.is_empty()).then_some(moves);
        }
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let length = if digits > 0 { 1 + digits } else { 2 };
        moves.push(read_move(rest.get(..length)?)?);
        rest = &rest[length..];
    }
}

fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(mv: &str, eval: Option<f64>, time: Option<f64>) -> Played {
        Played { mv: mv.to_owned(), eval, time }
    }

    #[test]
    fn commands_are_read_and_printed() {
        for (line, command) in [
            ("nboard 2", ToEngine::NBoard(2)),
            ("set depth 12", ToEngine::Depth(12)),
            ("set game (;GM[Othello];)", ToEngine::Game("(;GM[Othello];)".into())),
            ("set contempt -100", ToEngine::Contempt(-100)),
            ("move F5", ToEngine::Move(Played::bare("f5"))),
            ("move PA/-1.50/0.25", ToEngine::Move(played("pass", Some(-1.5), Some(0.25)))),
            ("move D3//0.25", ToEngine::Move(played("d3", None, Some(0.25)))),
            ("hint 3", ToEngine::Hint(3)),
            ("go", ToEngine::Go),
            ("ping 7", ToEngine::Ping(7)),
            ("learn", ToEngine::Learn),
            ("analyze", ToEngine::Analyze),
            ("quit", ToEngine::Quit),
        ] {
            assert_eq!(ToEngine::parse(line), Ok(Some(command.clone())), "{line}");
            assert_eq!(command.to_string(), line);
        }
        assert_eq!(ToEngine::parse("F5"), Ok(Some(ToEngine::Move(Played::bare("f5")))));
        assert_eq!(ToEngine::parse("\tset\t depth  12\r"), Ok(Some(ToEngine::Depth(12))));
        for line in ["", "set", "set volume 3", "F55x"] {
            assert_eq!(ToEngine::parse(line), Ok(None), "{line}");
        }
    }

    #[test]
    fn an_argument_that_cannot_be_read_is_an_error() {
        for (line, expected) in [
            ("hint x", "hint \"x\": expected a whole number of at least 1; send hint 12"),
            ("hint", "hint \"\""),
            ("hint 0", "hint \"0\""),
            ("hint -1", "hint \"-1\""),
            ("hint 4294967296", "hint \"4294967296\""),
            ("set depth", "set depth \"\": expected a whole number of at least 1; send set depth 12"),
            ("set depth 0", "set depth \"0\""),
            ("set depth 12x", "set depth \"12x\""),
            ("set depth nan", "set depth \"nan\""),
            ("set contempt much", "set contempt \"much\""),
            ("ping x", "ping \"x\""),
            ("nboard two", "nboard \"two\""),
            ("move", "move \"\": expected a square or PA"),
            ("move x", "move \"x\": expected a square or PA; send move F5"),
        ] {
            let err = ToEngine::parse(line).expect_err(line).to_string();
            assert!(err.starts_with(expected), "{line}: {err}");
        }
    }

    #[test]
    fn answers_are_read_and_printed() {
        let pv = ["f5", "d6", "pass", "c3"].map(str::to_owned).to_vec();
        let search = FromEngine::Search { pv, eval: -1.25, depth: "100%W".into(), text: "12 moves".into() };
        for (line, answer) in [
            ("set myname Banyan 1", FromEngine::Name("Banyan 1".into())),
            ("status", FromEngine::Status(String::new())),
            ("status thinks hard", FromEngine::Status("thinks hard".into())),
            ("nodestats 35805 0.25", FromEngine::NodeStats { nodes: 35805, seconds: 0.25 }),
            ("search F5D6PAC3 -1.25 0 100%W 12 moves", search.clone()),
            ("=== F5/-1.00/0.50", FromEngine::Choice(played("f5", Some(-1.0), Some(0.5)))),
            ("=== PA", FromEngine::Choice(Played::bare("pass"))),
            ("pong 7", FromEngine::Pong(7)),
            ("learned", FromEngine::Learned),
            ("analysis 61 -3.50", FromEngine::Analysis { moves: 61, eval: -3.5 }),
        ] {
            assert_eq!(FromEngine::parse(line), Some(answer.clone()), "{line}");
            assert_eq!(answer.to_string(), line);
        }
        assert_eq!(FromEngine::parse("book F5-d6-PA-C3 -1.25,3 99 100%W 12 moves"), Some(search));
        // As Edax writes it, with white space of any kind.
        for line in ["=== d6 -1.00 0.0", "===\td6  -1.00\t0.0 ", "=== d6 / -1.00 / 0.0"] {
            let edax = FromEngine::parse(line);
            assert_eq!(edax, Some(FromEngine::Choice(played("d6", Some(-1.0), Some(0.0)))), "{line:?}");
        }
        for line in ["", "banner", "=== ", "search", "search F5 x 0 1", "search é5 1 0 1", "nodestats 1 nan", "pong"] {
            assert_eq!(FromEngine::parse(line), None, "{line}");
        }
    }
}
