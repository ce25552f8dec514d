//! Positions that are not learned from, and the files that name them.

use std::collections::BTreeSet;
use std::path::Path;

use banyan_core::{TextError, mix};

use super::trainable::Trainable;
use crate::storage::{FileError, StorageError, read_text};

/// Lines that begin with one of these are skipped, as in OBF.
const COMMENTS: [char; 2] = ['#', '%'];

/// Positions that are not learned from, with all positions that have the same features, such as their images under the symmetries.
/// For a policy, the features of all moves are compared.
#[derive(Clone, Debug, Default)]
pub struct Excluded(BTreeSet<u64>);

impl Excluded {
    /// The positions of files with one in each line; empty lines and comments are skipped.
    ///
    /// # Errors
    /// A file that cannot be read or names no position, or a line that is not a position of the board.
    pub fn read(files: &[String], trainable: &Trainable) -> Result<Excluded, StorageError> {
        let mut excluded = Excluded::default();
        for file in files {
            let text = read_text(Path::new(file)).map_err(FileError::of("read", Path::new(file)))?;
            let lines = text.lines().map(str::trim).enumerate();
            let mut lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(COMMENTS)).peekable();
            if lines.peek().is_none() {
                let err = TextError::new("no position", "one in each line", "add one, or leave the file out");
                return Err(err.at(file).into());
            }
            for (idx, line) in lines {
                let features = trainable.features_of(line).map_err(|err| err.at(format_args!("{file}:{}", idx + 1)))?;
                excluded.insert(&features);
            }
        }
        Ok(excluded)
    }

    /// Adds a position with these features.
    pub fn insert(&mut self, features: &[u32]) {
        self.0.insert(digest(features));
    }

    /// Whether a position with these features is among them.
    pub fn contains(&self, features: &[u32]) -> bool {
        !self.0.is_empty() && self.0.contains(&digest(features))
    }

    /// A number for each position, sorted, so that it does not matter in which order the positions were added.
    pub fn digests(&self) -> impl Iterator<Item = u64> {
        self.0.iter().copied()
    }
}

/// A digest of the features that does not depend on their order.
fn digest(features: &[u32]) -> u64 {
    let mut sorted = features.to_vec();
    sorted.sort_unstable();
    sorted.into_iter().fold(features.len() as u64, |digest, feature| mix(digest ^ u64::from(feature)))
}
