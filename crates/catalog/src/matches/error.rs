//! What can go wrong with a match as a whole; what a player does wrong only loses it a game.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use banyan_core::{Fault, TextError};

/// Why a match cannot begin or go on.
#[derive(Debug)]
pub enum MatchError {
    /// Something is written that does not make sense.
    Text(TextError),
    /// A file cannot be read or written.
    File {
        /// What was tried: `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The player that judges openings failed.
    Judge(Fault),
}

impl MatchError {
    /// What becomes of an error while trying to `what` the file.
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> MatchError {
        let path = path.to_owned();
        move |source| MatchError::File { what, path, source }
    }
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Text(err) => err.fmt(f),
            MatchError::File { what, path, source } => write!(f, "cannot {what} {}: {source}", path.display()),
            MatchError::Judge(fault) => write!(f, "no opening: the player that judges them {fault}; try another kind"),
        }
    }
}

impl std::error::Error for MatchError {}

impl From<TextError> for MatchError {
    fn from(err: TextError) -> MatchError {
        MatchError::Text(err)
    }
}
