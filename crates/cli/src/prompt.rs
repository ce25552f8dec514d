//! What a person can type during a game.

use std::fs;
use std::io::{BufRead, IsTerminal, Write, stdin};

use anyhow::Result;
use banyan_catalog::{Catalog, Record};

use crate::interrupt::Interrupt;
use crate::play::Table;

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
    pub(crate) fn take_turn(&mut self, table: &mut Table<'_>, interrupt: &Interrupt, farewell: &str) -> Result<Turn> {
        loop {
            let over = table.session.result().is_some();
            let asking = if over { "over" } else { table.session.side_name(table.session.to_move()) };
            write!(table.terminal.out, "{asking}> ")?;
            table.terminal.out.flush()?;
            let line = interrupt.waiting(farewell.to_owned(), read_line)?;
            let Some(line) = line else {
                writeln!(table.terminal.out)?;
                write!(table.terminal.out, "{farewell}")?;
                return Ok(Turn::Left);
            };
            if self.echo {
                writeln!(table.terminal.out, "{line}")?;
            }
            if let Some(turn) = answer(table, &line, farewell)? {
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
fn answer(table: &mut Table<'_>, line: &str, farewell: &str) -> Result<Option<Turn>> {
    let (word, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(word, rest)| (word, rest.trim()));
    match (word.to_ascii_lowercase().as_str(), rest) {
        ("", _) => {}
        ("quit" | "exit" | "q", "") => {
            write!(table.terminal.out, "{farewell}")?;
            return Ok(Some(Turn::Left));
        }
        ("help" | "?", "") => writeln!(table.terminal.out, "{HELP}")?,
        ("moves", "") => writeln!(table.terminal.out, "{}", table.session.legal_moves().join(" "))?,
        ("hint", "") if table.session.result().is_some() => writeln!(table.terminal.out, "the game is over")?,
        ("hint", "") => table.hint()?,
        ("undo", "") => return take_back(table),
        ("save" | "load", "") => {
            writeln!(table.terminal.out, "{word}: expected the name of a file; try {word} game.json")?;
        }
        ("save", path) => save(table, path)?,
        ("load", path) => return load(table, path),
        _ => return play(table, line),
    }
    Ok(None)
}

fn play(table: &mut Table<'_>, line: &str) -> Result<Option<Turn>> {
    match table.session.play(line) {
        Ok(_) => Ok(Some(Turn::Changed)),
        Err(err) => {
            writeln!(table.terminal.out, "{err} (help lists the commands)")?;
            Ok(None)
        }
    }
}

/// Takes back to the last position in which a person moved.
fn take_back(table: &mut Table<'_>) -> Result<Option<Turn>> {
    let movers = table.session.movers();
    let Some(last) = movers.iter().rposition(|&side| table.is_person(side)) else {
        writeln!(table.terminal.out, "nothing to take back")?;
        return Ok(None);
    };
    for _ in last..movers.len() {
        table.session.undo();
    }
    Ok(Some(Turn::Changed))
}

fn save(table: &mut Table<'_>, path: &str) -> Result<()> {
    let record = Record::of(&*table.session, table.chairs.each_ref().map(ToString::to_string));
    match fs::write(path, record.write()) {
        Ok(()) => writeln!(table.terminal.out, "saved {} moves to {path}", record.moves.len())?,
        Err(err) => writeln!(table.terminal.out, "cannot write {path}: {err}; try another name")?,
    }
    Ok(())
}

fn load(table: &mut Table<'_>, path: &str) -> Result<Option<Turn>> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(err) => {
            writeln!(table.terminal.out, "cannot read {path}: {err}; try another name")?;
            return Ok(None);
        }
    };
    match Record::read(&text).and_then(|record| record.open(&Catalog::builtin())) {
        Ok(session) => {
            writeln!(table.terminal.out, "loaded {} moves of {} from {path}", session.history().len(), session.spec())?;
            table.change_session(session);
            Ok(Some(Turn::Changed))
        }
        Err(err) => {
            writeln!(table.terminal.out, "{path}: {err}")?;
            Ok(None)
        }
    }
}
