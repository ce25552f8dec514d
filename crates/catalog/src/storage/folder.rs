//! New folders, and the leftovers of killed processes in them.

use std::fs::{self, DirEntry};
use std::path::Path;

use super::draft::DRAFT;
use super::error::FileError;

/// Whether a folder holds nothing but what `is_leftover` accepts: the name of an entry and the entry.
///
/// # Errors
/// It cannot be read.
pub fn check_unused(folder: &Path, is_leftover: impl Fn(&str, &DirEntry) -> bool) -> Result<bool, FileError> {
    for entry in fs::read_dir(folder).map_err(FileError::of("read", folder))? {
        let entry = entry.map_err(FileError::of("read", folder))?;
        if !entry.file_name().to_str().is_some_and(|name| is_leftover(name, &entry)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a name is that of a [draft](super::Draft): `match.toml.1234-0.tmp`.
pub(super) fn is_draft(name: &str) -> bool {
    let mark =
        name.strip_suffix(DRAFT).and_then(|rest| rest.rsplit_once('.')).and_then(|(_, mark)| mark.split_once('-'));
    mark.is_some_and(|(process, n)| [process, n].iter().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())))
}

/// Removes the drafts of earlier processes that were killed from a folder, which no other process may be using.
pub fn remove_drafts(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(is_draft) {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a name is that of a [draft](super::Draft) of the file `of`, left by a process that was killed while it wrote the file.
pub fn is_draft_of(of: &str, name: &str) -> bool {
    is_draft(name) && name.strip_prefix(of).is_some_and(|rest| rest.starts_with('.') && rest.matches('.').count() == 2)
}
