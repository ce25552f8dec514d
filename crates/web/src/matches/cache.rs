//! Cached facts about each folder for the list of matches, kept until the files of the folder change, because the list
//! is requested often.

use std::collections::{HashMap, HashSet};
use std::fs::Metadata;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::SystemTime;

use banyan_matches::config_of;

use super::heading::Heading;
use super::records::open;
use crate::lock::lock;

/// Maximum size in bytes of a configuration in the list.
const LARGEST_CONFIG: u64 = 1 << 20;

/// Bytes of game records that one request of the list reads. The games of larger files are counted over several
/// requests.
pub(super) const MOST_READ: u64 = 64 << 20;

/// The version of a file: its length and the time of its last change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Version {
    length: u64,
    changed: Option<SystemTime>,
}

impl Version {
    fn of(found: &Metadata) -> Version {
        Version { length: found.len(), changed: found.modified().ok() }
    }
}

/// The folders by name.
#[derive(Default)]
pub(super) struct FolderCache(Mutex<HashMap<String, Arc<CachedFolder>>>);

/// A folder. No lock is held while another folder is read.
#[derive(Default)]
pub(super) struct CachedFolder {
    heading: Mutex<Option<(Version, Heading)>>,
    games: Mutex<Count>,
    /// The last number of games.
    last: Mutex<Option<usize>>,
}

impl FolderCache {
    pub(super) fn get(&self, id: &str) -> Arc<CachedFolder> {
        Arc::clone(lock(&self.0).entry(id.to_owned()).or_default())
    }

    /// Drops the folders that are not listed.
    pub(super) fn keep(&self, listed: &HashSet<String>) {
        lock(&self.0).retain(|id, _| listed.contains(id));
    }
}

impl CachedFolder {
    /// The match in the folder; `None` if it cannot be read.
    pub(super) fn heading(&self, folder: &Path) -> Option<Heading> {
        let found = std::fs::metadata(folder.join("match.toml")).ok()?;
        if !found.is_file() || found.len() > LARGEST_CONFIG {
            return None;
        }
        let version = Version::of(&found);
        let known = lock(&self.heading).clone().filter(|(known, _)| *known == version);
        let heading = match known {
            Some((_, heading)) => heading,
            None => Heading::of(&config_of(folder).ok()?),
        };
        *lock(&self.heading) = Some((version, heading.clone()));
        Some(heading)
    }

    /// Number of finished games. Reads at most `left` bytes and subtracts those read; `None` if more have to be read.
    /// While another request counts them, the last number.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(super) fn n_games(&self, folder: &Path, left: &mut u64) -> io::Result<Option<usize>> {
        let mut count = match self.games.try_lock() {
            Ok(count) => count,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return Ok(*lock(&self.last)),
        };
        let n = count.count_on(&folder.join("games.jsonl"), left)?;
        *lock(&self.last) = n;
        Ok(n)
    }
}

/// The number of lines of a file that only grows.
#[derive(Debug, Default)]
struct Count {
    /// The version at which it was read to its end.
    whole: Option<Version>,
    read: u64,
    lines: usize,
}

impl Count {
    fn count_on(&mut self, path: &Path, left: &mut u64) -> io::Result<Option<usize>> {
        let mut file = open(path)?;
        let version = Version::of(&file.metadata()?);
        if self.whole == Some(version) {
            return Ok(Some(self.lines));
        }
        // A file that changed without growing was replaced.
        if self.whole.is_some_and(|whole| version.length <= whole.length) || version.length < self.read {
            *self = Count::default();
        }
        file.seek(SeekFrom::Start(self.read))?;
        let mut part = vec![0; 1 << 16];
        while *left > 0 {
            let most = part.len().min(usize::try_from(*left).unwrap_or(usize::MAX));
            let n = file.read(&mut part[..most])?;
            if n == 0 {
                self.whole = Some(Version { length: self.read, ..version });
                return Ok(Some(self.lines));
            }
            *left -= n as u64;
            self.read += n as u64;
            self.lines += part[..n].iter().filter(|&&byte| byte == b'\n').count();
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_large_file_is_counted_part_by_part() {
        let path = std::env::temp_dir().join(format!("banyan-cache-{}.jsonl", std::process::id()));
        let mut count = Count::default();
        fs::write(&path, "x\n".repeat(100)).expect("a file");
        for (most, expected, left) in [(150, None, 0), (150, Some(100), 100), (150, Some(100), 150)] {
            let mut now = most;
            assert_eq!((count.count_on(&path, &mut now).expect("lines"), now), (expected, left), "{count:?}");
        }
        // Added lines are counted incrementally, a shorter file from its beginning.
        fs::write(&path, "x\n".repeat(110)).expect("a file");
        let mut left = 150;
        assert_eq!((count.count_on(&path, &mut left).expect("lines"), left), (Some(110), 130));
        fs::write(&path, "y\n").expect("a file");
        assert_eq!(count.count_on(&path, &mut left).expect("lines"), Some(1));
        fs::remove_file(&path).expect("the file");
        assert!(count.count_on(&path, &mut left).is_err());
    }

    #[test]
    fn another_request_that_counts_is_not_waited_for() {
        let known = CachedFolder::default();
        let counting = lock(&known.games);
        assert_eq!(known.n_games(Path::new("/nowhere"), &mut 1).expect("no file is read"), None);
        drop(counting);
        assert!(known.n_games(Path::new("/nowhere"), &mut 1).is_err());
    }
}
