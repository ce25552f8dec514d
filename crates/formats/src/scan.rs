//! The lines and words of a text with their places, and errors that name them: the scanner that all readers of text share.

use std::fmt;

use banyan_core::TextError;

/// A place in a file, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A line.
    Line(usize),
    /// A line, and the column of a character in it, the mark of the direction included.
    Column(usize, usize),
    /// A byte of a binary file.
    Byte(usize),
}

impl From<usize> for Place {
    fn from(line: usize) -> Place {
        Place::Line(line)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Column(line, column) => write!(f, "line {line}, column {column}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// An error with its place.
pub(crate) fn at(place: impl Into<Place>, what: &str, err: TextError) -> TextError {
    // The number of the only move of a list is replaced by the number in the game.
    let found = if what.is_empty() { None } else { err.found.strip_prefix("move 1: ") }.unwrap_or(&err.found);
    TextError { found: format!("{}: {what}{found}", place.into()), ..err }
}

/// A line without white space at its ends and the mark of its direction: `> ` before lines to an engine, `< ` before lines
/// from it.
#[derive(Clone, Copy)]
pub(crate) struct Line<'t> {
    /// From 1.
    pub(crate) number: usize,
    /// The column at which `text` begins, from 1.
    pub(crate) column: usize,
    /// Whether it is from the engine; `None` without a mark.
    pub(crate) from_engine: Option<bool>,
    pub(crate) text: &'t str,
}

/// All lines of a text.
pub(crate) fn lines(text: &str) -> Vec<Line<'_>> {
    text.lines().enumerate().map(Line::new).collect()
}

impl<'t> Line<'t> {
    fn new((i, whole): (usize, &'t str)) -> Line<'t> {
        let (from_engine, text) = match (whole.strip_prefix('>'), whole.strip_prefix('<')) {
            (Some(rest), _) => (Some(false), rest),
            (_, Some(rest)) => (Some(true), rest),
            _ => (None, whole),
        };
        let column = whole.chars().count() - text.trim_start().chars().count() + 1;
        Line { number: i + 1, column, from_engine, text: text.trim() }
    }

    /// Whether it holds no position in a file of positions.
    pub(crate) fn is_comment(&self) -> bool {
        self.text.is_empty() || self.text.starts_with(['#', '%'])
    }

    /// The first word; empty if there is none.
    pub(crate) fn word(&self) -> &'t str {
        self.text.split_whitespace().next().unwrap_or_default()
    }

    /// The words, each with its column.
    pub(crate) fn words(&self) -> impl Iterator<Item = (usize, &'t str)> + use<'t> {
        let mut next = self.column;
        let with_column = move |word: &'t str| {
            let column = next;
            next += word.chars().count() + 1;
            (!word.is_empty()).then_some((column, word))
        };
        self.text.split(char::is_whitespace).filter_map(with_column)
    }

    /// An error in this line.
    pub(crate) fn at(&self, err: TextError) -> TextError {
        at(self.number, "", err)
    }

    /// The error that the line is not what is expected.
    pub(crate) fn wrong(&self, expected: impl Into<String>, remedy: &str) -> TextError {
        self.at(TextError::new(self.text, expected, remedy))
    }
}
