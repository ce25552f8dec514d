//! The text of a book as it is read.

use std::path::Path;

use super::error::BookError;
use crate::storage::{LineForm, Lines, read_lines};

/// The form of the lines of a book.
pub const LINE_FORM: LineForm = LineForm::Numbered;

/// Reads the text of a book, without an incomplete last line unless that is all.
///
/// # Errors
/// The file cannot be read, or is damaged.
pub fn read_book(path: &Path) -> Result<String, BookError> {
    let lines = read_lines(path, LINE_FORM)?;
    let rest = if lines.is_empty() { String::from_utf8_lossy(lines.rest()) } else { "".into() };
    Ok(lines.content()? + &rest)
}

/// A text that was read elsewhere, without the checksums of its lines.
pub(super) fn content(text: &'static str) -> Result<String, BookError> {
    let lines = Lines::of(Path::new("built-in"), LINE_FORM, text.as_bytes().to_vec());
    Ok(lines.content()?)
}
