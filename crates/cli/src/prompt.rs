//! What a person can type during a game, and where it is read.

use std::io::{BufRead, IsTerminal, Write, stdin};

use anyhow::Result;
use banyan_core::TextError;

use crate::interrupt::Interrupt;
use crate::terminal::Terminal;

/// Everything that can be typed.
pub(crate) const HELP: &str = "\
a move      play it (`moves` lists them)
hint        what the computer would play
undo        take back to your previous move
moves       list the legal moves
save FILE   write the game to a file
load FILE   go on with the game in a file
help        this list
quit        leave; prints how to go on later";

/// What a person asks for with one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Request<'l> {
    Nothing,
    Play(&'l str),
    Hint,
    Undo,
    ListMoves,
    /// To this file.
    Save(&'l str),
    /// From this file.
    Load(&'l str),
    Help,
    Quit,
}

impl Request<'_> {
    /// Reads a line; whatever is no command is taken for a move.
    ///
    /// # Errors
    /// A file without a name.
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
                return Err(TextError::new(word, "expected the name of a file", format!("try {word} game.json")));
            }
            ("save", path) => Request::Save(path),
            ("load", path) => Request::Load(path),
            _ => Request::Play(line),
        })
    }
}

/// Reads lines from a person, or from a file or pipe that stands for one.
pub(crate) struct Prompt {
    /// Nobody types: what is read is written out, so that a transcript can be followed.
    echo: bool,
    interrupt: Interrupt,
}

impl Prompt {
    pub(crate) fn new(interrupt: Interrupt) -> Prompt {
        Prompt { echo: !stdin().is_terminal(), interrupt }
    }

    /// The next line, typed after `asking>`; `None` at the end of the input. Ctrl-C while nothing comes ends the program
    /// with `farewell`.
    pub(crate) fn read(&self, asking: &str, farewell: &str, terminal: &mut Terminal) -> Result<Option<String>> {
        write!(terminal.out, "{asking}> ")?;
        terminal.out.flush()?;
        let line = self.interrupt.waiting(farewell.to_owned(), read_line)?;
        match &line {
            Some(line) if self.echo => writeln!(terminal.out, "{line}")?,
            Some(_) => {}
            None => writeln!(terminal.out)?,
        }
        Ok(line)
    }
}

/// The next line without its end; `None` at the end of the input.
fn read_line() -> Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = stdin().lock().read_until(b'\n', &mut bytes)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
}
