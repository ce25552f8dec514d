//! Files that must survive: texts that are read up to a limit, files that are replaced as a whole, and [journals](Journal), to which
//! checked lines are appended while something is played, trained or solved.
//!
//! Nothing here depends on what the files hold.

mod checked;
mod draft;
mod error;
mod folder;
mod journal;
mod seal;
mod syncer;
mod text;

pub use checked::{Damaged, LineForm, digest};
pub use draft::{Draft, discard_drafts, replace_file};
pub use error::{FileError, StorageError};
pub use folder::{check_unused, is_draft_of, remove_drafts};
pub use journal::{Journal, JournalKind, Opened};
pub use seal::{Seal, sealed};
pub(crate) use text::in_one_line;
pub use text::{LARGEST_TEXT, Lines, read_bytes, read_lines, read_own_text, read_record, read_text, read_text_from};
