//! The reasons why a book cannot be read or grown.

use std::fmt;

use banyan_core::{Fault, TextError};

use crate::storage::{FileError, StorageError};

/// The reason why a book cannot be read or grown.
#[derive(Debug)]
pub enum BookError {
    /// An invalid plan, or a file that is not such a book.
    Text(TextError),
    /// The file cannot be read or written.
    File(FileError),
    /// The player failed.
    Player {
        /// The moves to the position that it searched.
        moves: String,
        /// The fault of the player.
        fault: Fault,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BookError::Text(err) => err.fmt(f),
            BookError::File(err) => err.fmt(f),
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

impl From<FileError> for BookError {
    fn from(err: FileError) -> BookError {
        BookError::File(err)
    }
}

impl From<StorageError> for BookError {
    fn from(err: StorageError) -> BookError {
        match err {
            StorageError::Text(err) => BookError::Text(err),
            StorageError::File(err) => BookError::File(err),
        }
    }
}
