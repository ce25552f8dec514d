//! Errors of a match as a whole. A fault of a player only loses a game.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use banyan_core::{Fault, TextError};

/// Why a match cannot start or continue.
#[derive(Debug)]
pub enum MatchError {
    /// An invalid configuration or record.
    Text(TextError),
    /// A file cannot be read or written.
    File {
        /// The operation, such as `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The player that judges openings failed.
    Judge(Fault),
}

impl MatchError {
    /// Converts an error of the operation `what` on a file.
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
            MatchError::Judge(fault) => {
                write!(f, "cannot generate openings: the judge {fault}; use another kind of openings")
            }
        }
    }
}

impl std::error::Error for MatchError {}

impl From<TextError> for MatchError {
    fn from(err: TextError) -> MatchError {
        MatchError::Text(err)
    }
}
