//! Saves a game to a file, and resumes one.

use std::io::ErrorKind;
use std::path::Path;

use banyan_catalog::storage::replace_file;
use banyan_catalog::{Catalog, Record, Session};
use banyan_core::TextError;
use banyan_texts::Language;

use crate::input::replay;
use crate::output::output_file;

/// Writes a game to a new file, or replaces one, and returns what was done.
///
/// # Errors
/// A file that exists and is not to be replaced, or that cannot be written.
pub(crate) fn save(language: Language, record: &Record, path: &str, replace: bool) -> Result<String, TextError> {
    let (file, text) = (Path::new(path), record.write());
    // By default a new file, created atomically, so that no existing file is overwritten.
    let written = match replace {
        true => replace_file(file, text.as_bytes()),
        false => output_file::create(file, text.as_bytes()),
    };
    match written {
        Ok(()) => Ok(language.say("terminal.saved", &[("n", &record.moves.len()), ("path", &path)])),
        Err(err) if err.kind() == ErrorKind::AlreadyExists => {
            let remedy = format!("type save {path}! to replace it");
            Err(TextError::new(format!("{path} exists"), "expected a new file", remedy))
        }
        Err(err) => {
            let found = format!("cannot write {path}: {err}");
            Err(TextError::new(found, "expected a file that can be written", "try another name"))
        }
    }
}

/// Opens a recorded game, whose number may follow the file name, and returns it with what was done.
///
/// # Errors
/// A file that cannot be read or has no such game.
pub(crate) fn load(language: Language, catalog: &Catalog, text: &str) -> Result<(Session, String), TextError> {
    let session = replay::open_typed(catalog, text).map_err(mistake)?.session;
    let (n_moves, spec) = (session.history().len(), session.spec());
    let done = language.say("terminal.loaded", &[("n", &n_moves), ("game", &spec), ("path", &text)]);
    Ok((session, done))
}

/// The error as one that the person can correct.
fn mistake(err: anyhow::Error) -> TextError {
    let other = |err| TextError::new(format!("{err:#}"), "expected a recorded game", "try another name");
    err.downcast::<TextError>().unwrap_or_else(other)
}
