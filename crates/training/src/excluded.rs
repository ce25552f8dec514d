//! Files that name positions to exclude from learning.

use std::path::Path;

use banyan_catalog::learnable::{Excluded, Trainable};
use banyan_catalog::storage::{FileError, read_text};
use banyan_core::TextError;

use crate::error::TrainingError;

/// Lines that begin with one of these are skipped, as in OBF.
const COMMENTS: [char; 2] = ['#', '%'];

/// The positions of files with one in each line; empty lines and comments are skipped.
///
/// # Errors
/// A file that cannot be read or names no position, or a line that is not a position of the board.
pub(super) fn read_excluded(files: &[String], trainable: &Trainable) -> Result<Excluded, TrainingError> {
    let mut excluded = Excluded::default();
    for file in files {
        let text = read_text(Path::new(file)).map_err(FileError::of("read", Path::new(file)))?;
        let lines = text.lines().map(str::trim).enumerate();
        let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(COMMENTS)).peekable();
        if lines.peek().is_none() {
            let err = TextError::new("no position", "expected one in each line", "add one, or leave the file out");
            return Err(err.at(file).into());
        }
        for (idx, line) in lines {
            let features = trainable.features_of(line).map_err(|err| err.at(format_args!("{file}:{}", idx + 1)))?;
            excluded.insert(&features);
        }
    }
    Ok(excluded)
}
