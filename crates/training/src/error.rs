//! The reasons why a training cannot start or continue.

use std::fmt;

use banyan_catalog::storage::{FileError, StorageError};
use banyan_core::{Fault, TextError};

/// The reason why a training cannot start or continue.
#[derive(Debug)]
pub enum TrainingError {
    /// An invalid plan or game.
    Text(TextError),
    /// A file cannot be read or written.
    File(FileError),
    /// A player failed.
    Player {
        /// The number of the game, from 1.
        game: u64,
        /// The fault of the player.
        fault: Fault,
    },
}

impl fmt::Display for TrainingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainingError::Text(err) => err.fmt(f),
            TrainingError::File(err) => err.fmt(f),
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

impl From<FileError> for TrainingError {
    fn from(err: FileError) -> TrainingError {
        TrainingError::File(err)
    }
}

impl From<StorageError> for TrainingError {
    fn from(err: StorageError) -> TrainingError {
        match err {
            StorageError::Text(err) => TrainingError::Text(err),
            StorageError::File(err) => TrainingError::File(err),
        }
    }
}
