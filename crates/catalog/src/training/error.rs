//! Why a training cannot start or go on.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use banyan_core::{Fault, TextError};

/// Why a training cannot start or go on.
#[derive(Debug)]
pub enum TrainingError {
    /// An invalid plan or game.
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
    /// A player failed.
    Player {
        /// The number of the game, from 1.
        game: u64,
        /// What it did.
        fault: Fault,
    },
}

impl TrainingError {
    /// Converts an error of the operation `what` on a file.
    pub(super) fn io(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> TrainingError {
        let path = path.to_owned();
        move |source| TrainingError::File { what, path, source }
    }
}

impl fmt::Display for TrainingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainingError::Text(err) => err.fmt(f),
            TrainingError::File { what, path, source } => write!(f, "cannot {what} {}: {source}", path.display()),
            TrainingError::Player { game, fault } => {
                write!(f, "game {game}: the player {fault}; choose another --player or --opening")
            }
        }
    }
}

impl std::error::Error for TrainingError {}

impl From<TextError> for TrainingError {
    fn from(err: TextError) -> TrainingError {
        TrainingError::Text(err)
    }
}
