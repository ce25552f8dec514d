//! The prompt of an interactive game, which reads lines.

use std::io::{self, BufRead, IsTerminal, Read, Write, stdin};

use anyhow::Result;
use banyan_core::TextError;

use crate::interrupt::Interrupt;
use crate::output::terminal::Terminal;

/// Reads lines from a terminal, a file or a pipe.
pub(crate) struct Prompt {
    /// Whether input is not a terminal: it is then printed, to keep the transcript readable.
    echo: bool,
    interrupt: Interrupt,
}

impl Prompt {
    pub(crate) fn new(interrupt: Interrupt) -> Prompt {
        Prompt { echo: !stdin().is_terminal(), interrupt }
    }

    /// The next line, typed after `prompt>`, or the error because of which it is ignored; `None` at the end of input.
    /// Ctrl-C while waiting prints `farewell` and exits.
    pub(crate) fn read(&self, prompt: &str, farewell: &str, terminal: &mut Terminal) -> Result<Option<Line>> {
        write!(terminal.out, "{prompt}> ")?;
        terminal.out.flush()?;
        let line = self.interrupt.waiting(farewell.to_owned(), || read_line(&mut stdin().lock()))?;
        match &line {
            Some(Ok(line)) if self.echo => writeln!(terminal.out, "{line}")?,
            Some(Err(_)) if self.echo => writeln!(terminal.out)?,
            Some(_) => {}
            None => writeln!(terminal.out)?,
        }
        Ok(line)
    }
}

/// A line of text, or the error because of which it is ignored.
pub(crate) type Line = Result<String, TextError>;

/// Maximum length of a line in bytes; the longest list of moves of any game is shorter.
const LONGEST_LINE: u64 = 4096;

/// The next line without its end; `None` at the end of input. Stores at most [`LONGEST_LINE`] bytes of it.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() as u64 == LONGEST_LINE && bytes.last() != Some(&b'\n') {
        input.skip_until(b'\n')?;
        let expected = format!("expected at most {LONGEST_LINE} bytes");
        return Ok(Some(Err(TextError::new("a long line was ignored", expected, "type a shorter one"))));
    }
    let text = String::from_utf8_lossy(&bytes);
    let line = text.trim();
    if line.chars().any(|c| c.is_control() && c != '\t') {
        let expected = "expected text, since arrows and other special keys have no effect here";
        return Ok(Some(Err(TextError::new("the line was ignored", expected, "type it again"))));
    }
    Ok(Some(Ok(line.to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_and_special_keys_are_ignored_and_the_next_line_is_read() {
        let mut text = vec![b'x'; 1 << 20];
        text.extend(b"\n\x1b[A\n 4\t\n5");
        let mut input = text.as_slice();
        let mut next = || read_line(&mut input).expect("memory can be read");
        assert!(matches!(next(), Some(Err(err)) if err.found.contains("long line")));
        assert!(matches!(next(), Some(Err(err)) if err.expected.contains("special keys")));
        assert_eq!(next(), Some(Ok("4".to_owned())));
        assert_eq!(next(), Some(Ok("5".to_owned())));
        assert_eq!(next(), None);
    }
}
