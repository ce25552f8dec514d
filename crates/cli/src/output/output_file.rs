//! Output files of commands: written completely, or left unchanged.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, anyhow};
use banyan_catalog::storage::{Draft, replace_file};

/// Writes a file, or replaces it as a whole.
///
/// # Errors
/// It cannot be written; the error contains its name.
pub(crate) fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<()> {
    let path = path.as_ref();
    replace_file(path, bytes.as_ref()).map_err(|err| cannot_write(path, &err))
}

/// Writes a new file, which must not exist yet.
///
/// # Errors
/// It exists or cannot be written; an incomplete file is removed.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(bytes).and_then(|()| file.sync_all()).inspect_err(|_| {
        // The first error is reported.
        let _ = fs::remove_file(path);
    })
}

/// Checks that a file can be written, without changing it. A pipe is not opened, because that may block.
///
/// # Errors
/// It cannot be written; the error contains its name.
pub(crate) fn check(path: &Path) -> Result<()> {
    let is_special = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
    let checked = if is_special { Ok(()) } else { Draft::create(path).map(drop) };
    checked.map_err(|err| cannot_write(path, &err))
}

/// The error for a file that cannot be written.
pub(crate) fn cannot_write(path: &Path, err: &io::Error) -> anyhow::Error {
    anyhow!("cannot write {}: {err}; try another name", path.display())
}
