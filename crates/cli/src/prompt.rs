//! What a person can type during a game.

use std::fs;
use std::io::{BufRead, IsTerminal, Write, stdin};

use anyhow::Result;
use banyan_catalog::Record;

use crate::builtin;
use crate::duel::Duel;
use crate::interrupt::Interrupt;

const HELP: &str = "\
a move      play it (`moves` lists them)
hint        what the computer would play
undo        take back to your previous move
moves       list the legal moves
save FILE   write the game to a file
load FILE   go on with the game in a file
help        this list
quit        leave; prints how to go on later";

/// How a person's turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// The position is another one now.
    Changed,
    /// The person has left, or the input is at its end.
    Left,
}

/// Reads lines from a person, or from a file or pipe that stands for one.
pub(crate) struct Prompt {
    /// Nobody types: what is read is written out, so that a transcript can be followed.
    echo: bool,
}

impl Prompt {
    pub(crate) fn new() -> Prompt {
        Prompt { echo: !stdin().is_terminal() }
    }

    /// Does what the person asks for until the position changes or the person leaves.
    pub(crate) fn take_turn(&mut self, duel: &mut Duel<'_>, interrupt: &Interrupt, farewell: &str) -> Result<Turn> {
        loop {
            let over = duel.session.result().is_some();
            let asking = if over { "over" } else { duel.session.side_name(duel.session.to_move()) };
            write!(duel.terminal.out, "{asking}> ")?;
            duel.terminal.out.flush()?;
            let line = interrupt.waiting(farewell.to_owned(), read_line)?;
            let Some(line) = line else {
                writeln!(duel.terminal.out)?;
                write!(duel.terminal.out, "{farewell}")?;
                return Ok(Turn::Left);
            };
            if self.echo {
                writeln!(duel.terminal.out, "{line}")?;
            }
            if let Some(turn) = answer(duel, &line, farewell)? {
                return Ok(turn);
            }
            if interrupt.pressed() {
                return Ok(Turn::Changed);
            }
        }
    }
}

/// The next line without its end; `None` at the end of the input.
fn read_line() -> Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = stdin().lock().read_until(b'\n', &mut bytes)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
}

/// Does what one line says; `Some` if that ends the turn.
fn answer(duel: &mut Duel<'_>, line: &str, farewell: &str) -> Result<Option<Turn>> {
    let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    match (word.to_ascii_lowercase().as_str(), rest) {
        ("", _) => {}
        ("quit" | "exit" | "q", "") => {
            write!(duel.terminal.out, "{farewell}")?;
            return Ok(Some(Turn::Left));
        }
        ("help" | "?", "") => writeln!(duel.terminal.out, "{HELP}")?,
        ("moves", "") => writeln!(duel.terminal.out, "{}", duel.session.legal_moves().join(" "))?,
        ("hint", "") if duel.session.result().is_some() => writeln!(duel.terminal.out, "the game is over")?,
        ("hint", "") => duel.hint()?,
        ("undo", "") => return take_back(duel),
        ("save" | "load", "") => {
            writeln!(duel.terminal.out, "{word}: expected the name of a file; try {word} game.json")?;
        }
        ("save", path) => save(duel, path)?,
        ("load", path) => return load(duel, path),
        _ => return play(duel, line),
    }
    Ok(None)
}

fn play(duel: &mut Duel<'_>, line: &str) -> Result<Option<Turn>> {
    match duel.session.play(line) {
        Ok(_) => Ok(Some(Turn::Changed)),
        Err(err) => {
            writeln!(duel.terminal.out, "{err} (help lists the commands)")?;
            Ok(None)
        }
    }
}

/// Takes back to the last position in which a person moved.
fn take_back(duel: &mut Duel<'_>) -> Result<Option<Turn>> {
    let movers = duel.session.movers();
    let Some(last) = movers.iter().rposition(|&side| duel.is_person(side)) else {
        writeln!(duel.terminal.out, "nothing to take back")?;
        return Ok(None);
    };
    for _ in last..movers.len() {
        duel.session.undo();
    }
    Ok(Some(Turn::Changed))
}

fn save(duel: &mut Duel<'_>, path: &str) -> Result<()> {
    let record = Record::of(&*duel.session, duel.setup.chairs.each_ref().map(ToString::to_string));
    match fs::write(path, record.write()) {
        Ok(()) => writeln!(duel.terminal.out, "saved {} moves to {path}", record.moves.len())?,
        Err(err) => writeln!(duel.terminal.out, "cannot write {path}: {err}; try another name")?,
    }
    Ok(())
}

fn load(duel: &mut Duel<'_>, path: &str) -> Result<Option<Turn>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(err) => {
            writeln!(duel.terminal.out, "cannot read {path}: {err}; try another name")?;
            return Ok(None);
        }
    };
    let session = Record::read(&text).and_then(|record| record.open(&builtin::catalog()));
    match session.and_then(|session| duel.change_session(session)) {
        Ok(()) => {
            let (moves, spec) = (duel.session.history().len(), duel.session.spec());
            writeln!(duel.terminal.out, "loaded {moves} moves of {spec} from {path}")?;
            Ok(Some(Turn::Changed))
        }
        Err(err) => {
            writeln!(duel.terminal.out, "{path}: {err}")?;
            Ok(None)
        }
    }
}
