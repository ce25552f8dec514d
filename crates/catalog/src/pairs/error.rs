//! Errors of a match as a whole. A fault of a player only loses a game.

use std::fmt;

use banyan_core::{Fault, TextError};

use crate::storage::{FileError, StorageError};

/// The reason why a match cannot start or continue.
#[derive(Debug)]
pub enum MatchError {
    /// An invalid configuration or record.
    Text(TextError),
    /// A file cannot be read or written.
    File(FileError),
    /// The player that judges openings failed.
    Judge(Fault),
    /// The system refused what a player needs to run. The games that were being played are not recorded, and no player lost them.
    NoResources(String),
    /// The program stood still in each of several attempts to play this game, named by its pair and its number.
    Standstill(u64, usize),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Text(err) => err.fmt(f),
            MatchError::File(err) => err.fmt(f),
            MatchError::NoResources(how) => write!(
                f,
                "{how}: expected free descriptors, processes and memory; no game is lost by this: resume with fewer --jobs, or \
                 raise the limit (ulimit -n, ulimit -u)"
            ),
            MatchError::Standstill(pair, game) => write!(
                f,
                "game {pair}.{game} was begun again several times because the program stood still: expected it to run through a \
                 game; resume when it is not stopped, and the machine neither sleeps nor has too much to do"
            ),
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

impl From<FileError> for MatchError {
    fn from(err: FileError) -> MatchError {
        MatchError::File(err)
    }
}

impl From<StorageError> for MatchError {
    fn from(err: StorageError) -> MatchError {
        match err {
            StorageError::Text(err) => MatchError::Text(err),
            StorageError::File(err) => MatchError::File(err),
        }
    }
}
