//! Output files of commands: written completely, or left unchanged.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Result, anyhow};
use banyan_catalog::storage::{Draft, replace_file};
use banyan_core::TextError;

use crate::output::terminal::Terminal;

/// Writes a file, or replaces it as a whole.
///
/// # Errors
/// It cannot be written; the error contains its name.
pub(crate) fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> Result<()> {
    let path = path.as_ref();
    replace_file(path, bytes.as_ref()).map_err(|err| cannot_write(path, &err))
}

/// Checks that a file name has this extension, or none, as that of a device has.
///
/// # Errors
/// Another extension.
pub(crate) fn check_extension(option: &str, path: &Path, extension: &str) -> Result<(), TextError> {
    match path.extension() {
        Some(found) if !found.eq_ignore_ascii_case(extension) => {
            let renamed = path.with_extension(extension);
            let (found, remedy) = (format!("{option} {}", path.display()), format!("try {}", renamed.display()));
            Err(TextError::new(found, format!("expected the extension .{extension}"), remedy))
        }
        _ => Ok(()),
    }
}

/// Says which file is written.
pub(crate) fn note_written(path: impl AsRef<Path>, terminal: &mut Terminal) -> Result<()> {
    writeln!(terminal.err, "wrote {}", path.as_ref().display())?;
    Ok(())
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
