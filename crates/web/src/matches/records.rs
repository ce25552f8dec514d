//! The games in the folders of matches. Only added lines are read, because pages request them often, many at a time.

use std::collections::VecDeque;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use banyan_catalog::pairs::GameLine;
use banyan_core::TextError;
use banyan_matches::{MatchConfig, Summary};

use crate::lock::lock;

/// Total size in bytes of the files whose games are kept; the games take about the same memory.
const MOST_BYTES: u64 = 64 << 20;
/// Size in bytes of the largest file that is read, unless matches may have more.
pub(super) const LARGEST: u64 = 128 << 20;

/// Opens a regular file. Opening a pipe would block until a program writes to it.
pub(super) fn open(path: &Path) -> io::Result<File> {
    let is_file = |found: fs::Metadata| found.is_file();
    let ordinary = |is_file: bool| {
        is_file.then_some(()).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "expected an ordinary file"))
    };
    ordinary(fs::metadata(path).map(is_file)?)?;
    let file = File::open(path)?;
    ordinary(file.metadata().map(is_file)?)?;
    Ok(file)
}

/// The games of one file.
#[derive(Default)]
pub(super) struct Games {
    lines: Vec<GameLine>,
    /// Bytes of the file that were read, up to a line end.
    read: u64,
    /// Its last line, by which a replaced file is detected.
    last: Vec<u8>,
    /// The summary, and its number of games.
    summary: Option<(usize, Summary)>,
}

impl Games {
    /// The games in the order in which they ended.
    pub(super) fn lines(&self) -> &[GameLine] {
        &self.lines
    }

    /// The summary, computed again only after new games.
    pub(super) fn summary(&mut self, config: &MatchConfig) -> Summary {
        match &self.summary {
            Some((n, summary)) if *n == self.lines.len() => summary.clone(),
            _ => {
                let summary = Summary::of(config, &self.lines);
                self.summary = Some((self.lines.len(), summary.clone()));
                summary
            }
        }
    }

    /// Reads the bytes added to the file, or all of it if it was replaced. Returns the number of bytes read.
    fn read_on(&mut self, path: &Path, largest: u64) -> Result<u64, TextError> {
        let failed = |err: io::Error| {
            TextError::new(format!("cannot read {}", path.display()), err.to_string(), "check the folder")
        };
        let mut file = open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        if length > largest {
            let found = format!("{}: {} MiB of games", path.display(), length >> 20);
            let expected = format!("expected at most {} MiB", largest >> 20);
            return Err(TextError::new(found, expected, "see its result by `banyan match --resume`"));
        }
        if !self.continues(&mut file).map_err(failed)? {
            *self = Games::default();
        }
        file.seek(SeekFrom::Start(self.read)).map_err(failed)?;
        let mut rest = BufReader::new(file).take(length.saturating_sub(self.read));
        let (mut line, mut read) = (Vec::new(), 0);
        loop {
            line.clear();
            read += rest.read_until(b'\n', &mut line).map_err(failed)? as u64;
            if !line.ends_with(b"\n") {
                return Ok(read);
            }
            let n = self.lines.len() + 1;
            let place = |err: TextError| TextError { found: format!("{}:{n}", path.display()), ..err };
            self.lines.push(GameLine::read(String::from_utf8_lossy(&line).trim_end()).map_err(place)?);
            self.read += line.len() as u64;
            self.last.clone_from(&line);
        }
    }

    /// Whether the file still begins with the bytes that were read.
    fn continues(&self, file: &mut File) -> io::Result<bool> {
        if file.metadata()?.len() < self.read {
            return Ok(false);
        }
        let mut last = vec![0; self.last.len()];
        file.seek(SeekFrom::Start(self.read - self.last.len() as u64))?;
        file.read_exact(&mut last)?;
        Ok(last == self.last)
    }
}

/// A file and its games, locked while they are read or used.
type Entry = (PathBuf, Arc<Mutex<Games>>);

/// The files requested most recently, the latest one last.
pub(super) struct Records {
    entries: Mutex<VecDeque<Entry>>,
    /// Maximum size of a file in bytes.
    largest: u64,
}

impl Records {
    pub(super) fn new(largest: u64) -> Records {
        Records { entries: Mutex::default(), largest }
    }

    /// Reads the file if it has changed and passes its games to `use_them`.
    ///
    /// # Errors
    /// The file cannot be read, or a line is invalid.
    pub(super) fn with<T>(&self, path: &Path, use_them: impl FnOnce(&mut Games) -> T) -> Result<T, TextError> {
        let entry = self.entry(path);
        let mut games = lock(&entry);
        let read = games.read_on(path, self.largest);
        if let Err(err) = read {
            *games = Games::default();
            return Err(err);
        }
        let result = use_them(&mut games);
        drop(games);
        self.make_room();
        Ok(result)
    }

    fn entry(&self, path: &Path) -> Arc<Mutex<Games>> {
        let mut entries = lock(&self.entries);
        let known = entries.iter().position(|(known, _)| known == path).and_then(|at| entries.remove(at));
        let (path, games) = known.unwrap_or_else(|| (path.to_owned(), Arc::default()));
        entries.push_back((path, Arc::clone(&games)));
        games
    }

    /// Drops the files that were not requested for the longest time.
    fn make_room(&self) {
        let mut entries = lock(&self.entries);
        // A file being read counts as empty; its request makes room afterwards.
        let size = |(_, games): &Entry| games.try_lock().map_or(0, |games| games.read);
        let mut total: u64 = entries.iter().map(size).sum();
        while total > MOST_BYTES
            && let Some(first) = entries.pop_front()
        {
            total -= size(&first).min(total);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use super::*;

    fn line(pair: u64, moves: &str) -> String {
        let text = format!(
            r#"{{"v":1,"event":"game_end","pair":{pair},"game":0,"spec":"connect-four","opening":0,"opening_plies":0,"players":["a","b"],
"seats":[0,1],"seeds":[1,2],"moves":"{moves}","margin":0,"winner":"draw","ending":"finished","at_ms":1}}"#
        );
        text.replace('\n', "") + "\n"
    }

    fn numbers(records: &Records, path: &Path) -> Vec<u64> {
        let numbers = |games: &mut Games| games.lines().iter().map(|line| line.pair).collect();
        records.with(path, numbers).expect("games")
    }

    #[test]
    fn only_what_was_added_is_read() {
        let path = std::env::temp_dir().join(format!("banyan-records-{}.jsonl", std::process::id()));
        let records = Records::new(LARGEST);
        fs::write(&path, line(0, "1") + &line(1, "2")).expect("a file");
        assert_eq!(numbers(&records, &path), [0, 1]);
        let read_now = || lock(&records.entry(&path)).read_on(&path, LARGEST).expect("games");
        assert_eq!(read_now(), 0);
        let mut file = fs::OpenOptions::new().append(true).open(&path).expect("the file");
        let third = line(2, "3");
        file.write_all(&third.as_bytes()[..20]).expect("a part of a line");
        assert_eq!((read_now(), numbers(&records, &path)), (20, vec![0, 1]));
        file.write_all(&third.as_bytes()[20..]).expect("its rest");
        assert_eq!((read_now(), numbers(&records, &path)), (third.len() as u64, vec![0, 1, 2]));
        // A replaced file is read from its beginning, longer or shorter.
        fs::write(&path, (5..10).map(|pair| line(pair, "4")).collect::<String>()).expect("a file");
        assert_eq!(numbers(&records, &path), [5, 6, 7, 8, 9]);
        fs::write(&path, line(1, "2")).expect("a file");
        assert_eq!(numbers(&records, &path), [1]);
        fs::write(&path, "x\n").expect("a file");
        assert!(records.with(&path, |_| ()).is_err());
        fs::remove_file(&path).expect("the file");
        assert!(records.with(&path, |_| ()).is_err());
    }
}
