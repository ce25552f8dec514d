//! Lines of input, bounded in length so that no client can fill the memory of a server.

use std::io::{self, BufRead};

use crate::process::{Piece, read_line};

/// One line of input, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The text; invalid UTF-8 is replaced.
    Text(String),
    /// A line longer than the limit, which was skipped.
    TooLong,
}

/// Reads lines up to a maximum length.
pub(crate) struct Lines<R> {
    input: R,
    longest: usize,
}

impl<R: BufRead> Lines<R> {
    /// `longest` in bytes, without the line end.
    pub(crate) fn new(input: R, longest: usize) -> Lines<R> {
        Lines { input, longest }
    }

    /// The next line; `None` at the end of input.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        Ok(match read_line(&mut self.input, self.longest)? {
            Piece::Message(text) | Piece::CutOff(text) => Some(Line::Text(text)),
            Piece::TooLong => {
                self.input.skip_until(b'\n')?;
                Some(Line::TooLong)
            }
            Piece::End => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8], longest: usize) -> Vec<Line> {
        // With a buffer of three bytes, lines cross its boundaries.
        let mut lines = Lines::new(io::BufReader::with_capacity(3, input), longest);
        std::iter::from_fn(|| lines.next().expect("memory can be read")).collect()
    }

    fn text(text: &str) -> Line {
        Line::Text(text.to_owned())
    }

    #[test]
    fn lines_end_with_either_end_and_with_the_input() {
        assert_eq!(all(b"one\ntwo\r\n\nlast", 10), [text("one"), text("two"), text(""), text("last")]);
        assert_eq!(all(b"", 10), []);
        assert_eq!(all(b"\xff\n", 10), [text("\u{fffd}")]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_whole() {
        assert_eq!(all(b"12345\n1234\n123456789", 4), [Line::TooLong, text("1234"), Line::TooLong]);
    }
}
