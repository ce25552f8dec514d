//! The commands of an interactive game, and the prompt that reads them.

use std::io::{self, BufRead, IsTerminal, Read, Write, stdin};

use anyhow::Result;
use banyan_core::TextError;

use crate::interrupt::Interrupt;
use crate::output::terminal::Terminal;

/// All commands.
pub(crate) const HELP: &str = "\
a move      play it (`moves` lists them)
hint        show the computer's move
undo        take back moves to your previous turn
moves       list the legal moves
save FILE   write the game to a new file; save FILE! replaces a file
load FILE   resume a saved game, or one of a match folder or a transcript: load DIR 12.1
help        show this list
quit        quit and print the command that resumes the game";

/// A command typed by the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request<'l> {
    Nothing,
    /// This move, with full-width characters converted to ASCII.
    Play(String),
    Hint,
    Undo,
    ListMoves,
    /// To this file, which must be new unless it is to be replaced.
    Save {
        path: &'l str,
        replace: bool,
    },
    /// From this file.
    Load(&'l str),
    Help,
    Quit,
}

impl Request<'_> {
    /// Parses a line; anything that is not a command is read as a move.
    ///
    /// # Errors
    /// `save` or `load` without a file name.
    pub(crate) fn parse(line: &str) -> Result<Request<'_>, TextError> {
        let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
        Ok(match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Request::Nothing,
            ("quit" | "exit" | "q", "") => Request::Quit,
            ("help" | "?", "") => Request::Help,
            ("moves", "") => Request::ListMoves,
            ("hint", "") => Request::Hint,
            ("undo", "") => Request::Undo,
            ("save" | "load", "") => {
                return Err(TextError::new(word, "expected a file name", format!("try {word} game.json")));
            }
            ("save", path) => match path.strip_suffix('!').map(str::trim_end) {
                Some(path) if !path.is_empty() => Request::Save { path, replace: true },
                _ => Request::Save { path, replace: false },
            },
            ("load", path) => Request::Load(path),
            _ => Request::Play(line.chars().map(half_width).collect()),
        })
    }
}

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

/// The ASCII character for a full-width one, as typed on East Asian keyboards.
fn half_width(c: char) -> char {
    match c {
        '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_width_moves_are_read_as_ascii() {
        assert_eq!(Request::parse("\u{ff14}"), Ok(Request::Play("4".to_owned())));
        assert_eq!(Request::parse("\u{ff44}\u{ff13}"), Ok(Request::Play("d3".to_owned())));
        assert_eq!(Request::parse("h\u{ff10}\u{ff0c}\u{ff11}"), Ok(Request::Play("h0,1".to_owned())));
    }

    #[test]
    fn only_an_exclamation_mark_replaces_a_file() {
        let save = |path, replace| Ok(Request::Save { path, replace });
        assert_eq!(Request::parse("save a.json"), save("a.json", false));
        assert_eq!(Request::parse("save a.json!"), save("a.json", true));
        assert_eq!(Request::parse("save a.json !"), save("a.json", true));
    }

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
