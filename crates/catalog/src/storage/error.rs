//! Errors of files that cannot be read or written, or that were changed by another program.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use banyan_core::TextError;

/// A file that cannot be read or written.
#[derive(Debug)]
pub struct FileError {
    /// The operation, such as `write`.
    pub what: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The cause.
    pub source: io::Error,
}

impl FileError {
    /// Converts an error of the operation `what` on a file.
    pub fn of(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
        let path = path.to_owned();
        move |source| FileError { what, path, source }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} {}: {}", self.what, self.path.display(), self.source)
    }
}

impl std::error::Error for FileError {}

/// The reason why a journal cannot be opened or continued.
#[derive(Debug)]
pub enum StorageError {
    /// It is damaged, in use, or was moved or changed.
    Text(TextError),
    /// It cannot be read or written.
    File(FileError),
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StorageError::Text(err) => err.fmt(f),
            StorageError::File(err) => err.fmt(f),
        }
    }
}

impl std::error::Error for StorageError {}

impl From<TextError> for StorageError {
    fn from(err: TextError) -> StorageError {
        StorageError::Text(err)
    }
}

impl From<FileError> for StorageError {
    fn from(err: FileError) -> StorageError {
        StorageError::File(err)
    }
}
