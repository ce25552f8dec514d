//! The commands of an interactive game, and the prompt that reads them.

use std::io::{BufRead, IsTerminal, Write, stdin};

use anyhow::Result;
use banyan_core::TextError;

use crate::interrupt::Interrupt;
use crate::terminal::Terminal;

/// All commands.
pub(crate) const HELP: &str = "\
a move      play it (`moves` lists them)
hint        show the computer's move
undo        take back moves to your previous turn
moves       list the legal moves
save FILE   write the game to a file
load FILE   resume a saved game
help        show this list
quit        quit and print the command that resumes the game";

/// A command typed by a person.
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
            ("save", path) => Request::Save(path),
            ("load", path) => Request::Load(path),
            _ => Request::Play(line),
        })
    }
}

/// Reads lines from a terminal, a file or a pipe.
pub(crate) struct Prompt {
    /// Input is not a terminal: print what is read, to keep the transcript readable.
    echo: bool,
    interrupt: Interrupt,
}

impl Prompt {
    pub(crate) fn new(interrupt: Interrupt) -> Prompt {
        Prompt { echo: !stdin().is_terminal(), interrupt }
    }

    /// The next line, typed after `prompt>`; `None` at the end of the input. Ctrl-C while waiting prints `farewell` and
    /// exits.
    pub(crate) fn read(&self, prompt: &str, farewell: &str, terminal: &mut Terminal) -> Result<Option<String>> {
        write!(terminal.out, "{prompt}> ")?;
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
