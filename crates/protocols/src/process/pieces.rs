//! Splits the output of an engine into messages.

use std::io::{self, BufRead};

/// The delimiters of the messages of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// By the end of the line.
    #[default]
    Lines,
    /// By the end of the line or of the output.
    LinesOrEnd,
    /// By a length prefix of four bytes, big-endian.
    Length,
}

/// Maximum length of a message in bytes.
pub const LONGEST_MESSAGE: usize = 1 << 20;

/// The next part of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A message, without its delimiter; invalid UTF-8 is replaced.
    Message(String),
    /// A message that exceeds the limit. Its beginning is lost; reading can only resume after the end of a line.
    TooLong,
    /// The output ended in the middle of a message that began like this.
    CutOff(String),
    /// The end of the output.
    End,
}

/// Reads the next message.
///
/// # Errors
/// Read errors of `input`.
pub fn read_piece(framing: Framing, input: &mut impl BufRead) -> io::Result<Piece> {
    match framing {
        Framing::Lines => read_line(input, LONGEST_MESSAGE),
        Framing::LinesOrEnd => Ok(match read_line(input, LONGEST_MESSAGE)? {
            Piece::CutOff(text) => Piece::Message(text),
            piece => piece,
        }),
        Framing::Length => read_framed(input),
    }
}

/// Reads one line of at most `longest` bytes, without its end.
pub(crate) fn read_line(input: &mut impl BufRead, longest: usize) -> io::Result<Piece> {
    let mut line = Vec::new();
    loop {
        let ready = retry(|| input.fill_buf().map(<[u8]>::len))?;
        let buffer = &input.fill_buf()?[..ready];
        if buffer.is_empty() {
            return Ok(if line.is_empty() { Piece::End } else { Piece::CutOff(text(&line)) });
        }
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        if line.len() + taken > longest {
            return Ok(Piece::TooLong);
        }
        line.extend_from_slice(&buffer[..taken]);
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(Piece::Message(text(&line)));
        }
    }
}

fn read_framed(input: &mut impl BufRead) -> io::Result<Piece> {
    let mut head = [0; 4];
    let n = read_up_to(input, &mut head)?;
    if n < head.len() {
        return Ok(if n == 0 { Piece::End } else { Piece::CutOff(text(&head[..n])) });
    }
    let length = u32::from_be_bytes(head) as usize;
    if length > LONGEST_MESSAGE {
        return Ok(Piece::TooLong);
    }
    let mut body = vec![0; length];
    let n = read_up_to(input, &mut body)?;
    Ok(if n < length { Piece::CutOff(text(&body[..n])) } else { Piece::Message(text(&body)) })
}

/// Fills `buffer` up to the end of input.
fn read_up_to(input: &mut impl BufRead, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match retry(|| input.read(&mut buffer[filled..]))? {
            0 => break,
            n => filled += n,
        }
    }
    Ok(filled)
}

/// Repeats reads that a signal interrupted.
fn retry<T>(mut read: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        match read() {
            Err(err) if err.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).trim_end_matches('\r').to_owned()
}

#[cfg(test)]
mod tests {
    use banyan_core::Rng;

    use super::*;

    fn pieces(framing: Framing, bytes: &[u8]) -> Vec<Piece> {
        let mut input = io::BufReader::with_capacity(3, bytes);
        let mut pieces = Vec::new();
        loop {
            pieces.push(read_piece(framing, &mut input).expect("memory can be read"));
            if !matches!(pieces.last(), Some(Piece::Message(_))) {
                return pieces;
            }
        }
    }

    fn message(text: &str) -> Piece {
        Piece::Message(text.into())
    }

    #[test]
    fn lines_are_delimited_by_line_ends() {
        let expected = [message("one"), message(""), message("two"), Piece::CutOff("thr".into())];
        assert_eq!(pieces(Framing::Lines, b"one\n\ntwo\r\nthr"), expected);
        let expected = [message("one"), message("thr"), Piece::End];
        assert_eq!(pieces(Framing::LinesOrEnd, b"one\nthr"), expected);
        assert_eq!(pieces(Framing::Lines, b"a\xff\n"), [message("a\u{fffd}"), Piece::End]);
    }

    #[test]
    fn lengths_delimit_messages() {
        let bytes = b"\0\0\0\x033 4\0\0\0\0\0\0\0\x02x";
        assert_eq!(pieces(Framing::Length, bytes), [message("3 4"), message(""), Piece::CutOff("x".into())]);
        assert_eq!(pieces(Framing::Length, b"\0\0"), [Piece::CutOff("\0\0".into())]);
    }

    #[test]
    fn oversized_messages_are_rejected() {
        let long = vec![b'x'; LONGEST_MESSAGE + 1];
        assert_eq!(pieces(Framing::Lines, &long), [Piece::TooLong]);
        let longest = [&long[1..], b"\n"].concat();
        assert_eq!(pieces(Framing::Lines, &longest).len(), 2);
        assert_eq!(pieces(Framing::Length, b"move 4\n"), [Piece::TooLong]);
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let mut rng = Rng::new(1);
        for _ in 0..100_000 {
            let bytes: Vec<u8> =
                (0..rng.below(24)).map(|_| [0, 1, b'\n', b'\r', b'a', 0xff][rng.below(6) as usize]).collect();
            for framing in [Framing::Lines, Framing::LinesOrEnd, Framing::Length] {
                assert!(!pieces(framing, &bytes).is_empty());
            }
        }
    }
}
