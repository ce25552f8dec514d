//! Lines of input, none longer than a protocol allows: whoever floods a server does not fill its memory.

use std::io::{self, BufRead};

/// One line of input, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// What it says; bytes that are no UTF-8 are replaced.
    Text(String),
    /// More bytes than were asked for at most. They are gone.
    TooLong,
}

/// Reads lines of at most so many bytes.
pub(crate) struct Lines<R> {
    input: R,
    longest: usize,
}

impl<R: BufRead> Lines<R> {
    /// `longest` counts bytes without the end of the line.
    pub(crate) fn new(input: R, longest: usize) -> Lines<R> {
        Lines { input, longest }
    }

    /// The next line; `None` at the end of input.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        let (mut begun, mut too_long) = (false, false);
        loop {
            let piece = match self.input.fill_buf() {
                Ok(piece) => piece,
                Err(err) if err.kind() == io::ErrorKind::Interrupted => continue,
                Err(err) => return Err(err),
            };
            if piece.is_empty() {
                return Ok(begun.then(|| finished(&bytes, too_long)));
            }
            begun = true;
            let end = piece.iter().position(|&byte| byte == b'\n');
            let length = end.unwrap_or(piece.len());
            too_long |= bytes.len() + length > self.longest;
            if !too_long {
                bytes.extend_from_slice(&piece[..length]);
            }
            self.input.consume(length + usize::from(end.is_some()));
            if end.is_some() {
                return Ok(Some(finished(&bytes, too_long)));
            }
        }
    }
}

fn finished(bytes: &[u8], too_long: bool) -> Line {
    if too_long {
        return Line::TooLong;
    }
    let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
    Line::Text(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(input: &[u8], longest: usize) -> Vec<Line> {
        // A buffer of three bytes, so that lines lie across its edges.
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
