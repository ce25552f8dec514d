//! A file that cannot be read or written.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

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
    pub(crate) fn of(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FileError {
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
