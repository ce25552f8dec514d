//! Why a book cannot be read or grown.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use banyan_core::{Fault, TextError};

/// Why a book cannot be read or grown.
#[derive(Debug)]
pub enum BookError {
    /// An invalid plan, or a file that is no such book.
    Text(TextError),
    /// The file cannot be read or written.
    File {
        /// The operation, such as `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The player failed.
    Player {
        /// The moves to the position that it searched.
        moves: String,
        /// What it did.
        fault: Fault,
    },
}

impl BookError {
    /// Converts an error of the operation `what` on a file.
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> BookError {
        let path = path.to_owned();
        move |source| BookError::File { what, path, source }
    }
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Text(err) => err.fmt(f),
            BookError::File { what, path, source } => write!(f, "cannot {what} {}: {source}", path.display()),
            BookError::Player { moves, fault } => {
                write!(f, "after {moves:?}: the player {fault}; choose another --player")
            }
        }
    }
}

impl std::error::Error for BookError {}

impl From<TextError> for BookError {
    fn from(err: TextError) -> BookError {
        BookError::Text(err)
    }
}
