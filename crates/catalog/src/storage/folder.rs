//! New folders, and what a killed start leaves in them.

use std::fs::{self, DirEntry};
use std::path::Path;

use super::draft::DRAFT;
use super::error::FileError;

/// Whether a folder holds nothing but what `is_leftover` accepts: the name of an entry and the entry.
///
/// # Errors
/// It cannot be read.
pub(crate) fn check_unused(folder: &Path, is_leftover: impl Fn(&str, &DirEntry) -> bool) -> Result<bool, FileError> {
    for entry in fs::read_dir(folder).map_err(FileError::of("read", folder))? {
        let entry = entry.map_err(FileError::of("read", folder))?;
        if !entry.file_name().to_str().is_some_and(|name| is_leftover(name, &entry)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a name is that of a [draft](super::Draft) of the file `of`: what a kill leaves while the file is written.
pub(crate) fn is_draft_of(of: &str, name: &str) -> bool {
    name.strip_prefix(of).is_some_and(|rest| rest.starts_with('.') && rest.ends_with(DRAFT))
}
