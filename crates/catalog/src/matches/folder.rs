//! The folder of a match: `match.toml` holds the configuration, `games.jsonl` a line for every finished game. If the program
//! ends for any reason, only the running games are lost.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use banyan_core::TextError;

use super::config::MatchConfig;
use super::error::MatchError;
use super::opening_spec::OpeningLines;
use super::record::GameLine;
use crate::file_error::FileError;
use crate::text_file::{draft_of, read_record, read_text as read_file, replace_file};

/// Maximum delay before written lines are synced to disk.
const SYNC_EVERY: Duration = Duration::from_millis(500);

/// The open folder of a match, locked against other processes.
pub struct MatchFolder {
    path: PathBuf,
    config: MatchConfig,
    games: File,
    /// The size that games.jsonl has unless another program changes it.
    size: u64,
    syncer: Syncer,
}

/// A reopened folder and its contents.
pub struct Resumed {
    /// The folder, open for further games.
    pub folder: MatchFolder,
    /// The finished games, in the order they were written.
    pub lines: Vec<GameLine>,
    /// The openings, if they came from a file.
    pub openings: Option<OpeningLines>,
    /// Length of an incomplete last line, which was removed.
    pub cut_off: Option<usize>,
}

impl MatchFolder {
    /// Creates a match in a new or empty folder. What a match leaves that was killed while its folder was created counts as
    /// nothing and is replaced.
    ///
    /// # Errors
    /// The folder is not empty, cannot be written, or another process creates a match in it.
    pub fn create(
        path: &Path,
        config: MatchConfig,
        openings: Option<&OpeningLines>,
    ) -> Result<MatchFolder, MatchError> {
        fs::create_dir_all(path).map_err(FileError::of("create", path))?;
        check_unused(path, openings)?;
        // Locked before anything else is written, so that of two processes one creates the match.
        let folder = MatchFolder::open_games(path.to_owned(), config)?;
        check_unused(path, openings)?;
        // The draft of match.toml is overwritten, that of the openings only if there are any.
        let _ = fs::remove_file(draft_of(&path.join(OPENINGS)));
        if let Some(openings) = openings {
            write_whole(&path.join(OPENINGS), openings.text())?;
        }
        write_whole(&path.join(CONFIG), &folder.config.write())?;
        Ok(folder)
    }

    /// Resumes the match in a folder.
    ///
    /// # Errors
    /// There is no match, another process is playing it, or a line before the last is invalid.
    pub fn resume(path: &Path) -> Result<Resumed, MatchError> {
        let (config, openings) = read_config(path)?;
        let mut folder = MatchFolder::open_games(path.to_owned(), config)?;
        let path = folder.games_path();
        let (text, rest) = read_whole_lines(&path)?;
        if rest > 0 {
            folder.size -= rest as u64;
            folder.games.set_len(folder.size).map_err(FileError::of("shorten", &path))?;
        }
        let lines = read_lines(&path, &text)?;
        let cut_off = (rest > 0).then_some(rest);
        Ok(Resumed { folder, lines, openings, cut_off })
    }

    fn open_games(path: PathBuf, config: MatchConfig) -> Result<MatchFolder, MatchError> {
        let file = path.join(GAMES);
        let open = || OpenOptions::new().create(true).read(true).append(true).open(&file);
        let games = open().map_err(FileError::of("open", &file))?;
        if games.try_lock().is_err() {
            let expected = "another process is playing this match";
            return Err(TextError::new(path.display().to_string(), expected, "wait for it or stop it").into());
        }
        let syncer = Syncer::start(games.try_clone().map_err(FileError::of("open", &file))?);
        let size = games.metadata().map_err(FileError::of("read", &file))?.len();
        Ok(MatchFolder { path, config, games, size, syncer })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The configuration.
    pub fn config(&self) -> &MatchConfig {
        &self.config
    }

    pub(super) fn games_path(&self) -> PathBuf {
        self.path.join(GAMES)
    }

    /// Changes the number of pairs.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn set_pairs(&mut self, pairs: u64) -> Result<(), MatchError> {
        self.config.pairs = pairs;
        write_whole(&self.path.join(CONFIG), &self.config.write())
    }

    /// Changes the file that defines the external engines.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn set_engines_file(&mut self, path: String) -> Result<(), MatchError> {
        self.config.made_by.engines_file = Some(path);
        write_whole(&self.path.join(CONFIG), &self.config.write())
    }

    /// Appends a game, in one write.
    ///
    /// # Errors
    /// The file cannot be written, or another program has removed or changed it.
    pub fn append(&mut self, line: &GameLine) -> Result<(), MatchError> {
        let text = line.write() + "\n";
        self.games.write_all(text.as_bytes()).map_err(FileError::of("write", &self.games_path()))?;
        self.size += text.len() as u64;
        self.syncer.dirty.store(true, Ordering::Release);
        self.check_intact()
    }

    /// Checks that the games written are those found at the path of the file. If the file was removed it is written again.
    fn check_intact(&mut self) -> Result<(), MatchError> {
        let path = self.games_path();
        let changed = |expected: &str, remedy: String| {
            Err(TextError::new(path.display().to_string(), format!("{expected} while the match was running"), remedy)
                .into())
        };
        let resume = format!("resume the match with --resume {}", self.path.display());
        match fs::metadata(&path) {
            Ok(found) if is_same_file(&found, &self.games) && found.len() == self.size => Ok(()),
            Ok(_) => changed("was replaced or changed", format!("restore the file, then {resume}")),
            Err(err) if err.kind() == io::ErrorKind::NotFound => match self.rewrite_removed(&path) {
                Ok(()) => changed("was removed", format!("its games are written again; {resume}")),
                // Another file took its place meanwhile.
                Err(err) if err.kind() == io::ErrorKind::AlreadyExists => {
                    changed("was replaced or changed", format!("restore the file, then {resume}"))
                }
                Err(err) => Err(FileError::of("write again the removed", &path)(err).into()),
            },
            Err(err) => Err(FileError::of("read", &path)(err).into()),
        }
    }

    /// Writes the contents of the open file, which was removed, to a new file, and continues there.
    fn rewrite_removed(&mut self, path: &Path) -> io::Result<()> {
        let mut bytes = Vec::new();
        self.games.rewind()?;
        self.games.read_to_end(&mut bytes)?;
        fs::create_dir_all(&self.path)?;
        let mut file = OpenOptions::new().create_new(true).read(true).append(true).open(path)?;
        file.try_lock()?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        self.games = file;
        Ok(())
    }

    /// Writes a further file, replacing an old one.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_file(&self, name: &str, text: &str) -> Result<(), MatchError> {
        write_whole(&self.path.join(name), text)
    }

    /// Syncs all games to disk.
    ///
    /// # Errors
    /// They cannot be written, or another program has removed or changed the file.
    pub fn sync(&mut self) -> Result<(), MatchError> {
        self.games.sync_data().map_err(FileError::of("write", &self.games_path()))?;
        self.check_intact()
    }
}

const CONFIG: &str = "match.toml";
pub(super) const GAMES: &str = "games.jsonl";
const OPENINGS: &str = "openings.txt";

/// Reads a match without locking it: its configuration and its games, without an incomplete last line.
///
/// # Errors
/// There is no match, or a line before the last is invalid.
pub fn read_folder(path: &Path) -> Result<(MatchConfig, Option<OpeningLines>, Vec<GameLine>), MatchError> {
    let (config, openings) = read_config(path)?;
    Ok((config, openings, read_games(&path.join(GAMES))?))
}

/// The configuration in a match folder.
///
/// # Errors
/// There is no match.
pub fn config_of(path: &Path) -> Result<MatchConfig, MatchError> {
    Ok(read_config(path)?.0)
}

/// Reads a file of game records, without an incomplete last line.
///
/// # Errors
/// The file cannot be read, or a line before the last is invalid.
pub fn read_games(path: &Path) -> Result<Vec<GameLine>, MatchError> {
    read_lines(path, &read_whole_lines(path)?.0)
}

fn read_config(path: &Path) -> Result<(MatchConfig, Option<OpeningLines>), MatchError> {
    let file = path.join(CONFIG);
    if !file.exists() {
        let expected = "expected a match folder, containing match.toml";
        let remedy = "use the folder given by --out";
        return Err(TextError::new(path.display().to_string(), expected, remedy).into());
    }
    let in_file = |err: TextError| err.at(path.display());
    let config = MatchConfig::read(&read_text(&file)?).map_err(in_file)?;
    let openings = match config.openings_digest {
        Some(_) => Some(OpeningLines::read(&read_text(&path.join(OPENINGS))?).map_err(in_file)?),
        None => None,
    };
    Ok((config, openings))
}

fn read_text(path: &Path) -> Result<String, MatchError> {
    Ok(read_file(path).map_err(FileError::of("read", path))?)
}

/// The text up to the last line end, and the number of bytes after it. Invalid UTF-8 is reported
/// when its line is parsed.
fn read_whole_lines(path: &Path) -> Result<(String, usize), MatchError> {
    let mut bytes = read_record(path).map_err(FileError::of("read", path))?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let rest = bytes.split_off(whole).len();
    Ok((String::from_utf8_lossy(&bytes).into_owned(), rest))
}

fn read_lines(path: &Path, text: &str) -> Result<Vec<GameLine>, MatchError> {
    let read = |(idx, line)| {
        let place = |err: TextError| TextError { found: format!("{}:{}", path.display(), idx + 1), ..err };
        GameLine::read(line).map_err(place)
    };
    Ok(text.lines().enumerate().map(read).collect::<Result<_, _>>()?)
}

/// Whether the file found at a path is the open one.
#[cfg(unix)]
fn is_same_file(found: &fs::Metadata, open: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    open.metadata().is_ok_and(|open| (open.dev(), open.ino()) == (found.dev(), found.ino()))
}

/// An open file cannot be replaced here.
#[cfg(not(unix))]
fn is_same_file(_found: &fs::Metadata, _open: &File) -> bool {
    true
}

/// Checks that a folder holds at most what a match leaves that was killed before its match.toml was complete.
fn check_unused(path: &Path, openings: Option<&OpeningLines>) -> Result<(), MatchError> {
    for entry in fs::read_dir(path).map_err(FileError::of("read", path))? {
        let entry = entry.map_err(FileError::of("read", path))?;
        let (name, file) = (entry.file_name(), entry.path());
        let is_same = |text: &str| read_file(&file).is_ok_and(|found| found == text);
        let is_leftover = match name.to_str() {
            Some(name) if [CONFIG, OPENINGS].iter().any(|whole| draft_of(Path::new(whole)) == Path::new(name)) => true,
            Some(GAMES) => entry.metadata().is_ok_and(|found| found.is_file() && found.len() == 0),
            // Anything else may be the user's own file.
            Some(OPENINGS) => openings.is_some_and(|openings| is_same(openings.text())),
            _ => false,
        };
        if !is_leftover {
            let remedy = "choose another folder, or resume the match with --resume";
            return Err(TextError::new(path.display().to_string(), "expected a new or empty folder", remedy).into());
        }
    }
    Ok(())
}

/// Writes a file atomically.
fn write_whole(path: &Path, text: &str) -> Result<(), MatchError> {
    Ok(replace_file(path, text.as_bytes()).map_err(FileError::of("write", path))?)
}

/// Syncs written lines to disk in the background.
struct Syncer {
    dirty: Arc<AtomicBool>,
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Syncer {
    fn start(file: File) -> Syncer {
        let dirty = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&dirty);
        let (end, ended) = channel();
        let thread = thread::spawn(move || {
            while ended.recv_timeout(SYNC_EVERY) == Err(RecvTimeoutError::Timeout) {
                if seen.swap(false, Ordering::Acquire) {
                    // A disk error is reported by the next write or the final sync.
                    let _ = file.sync_data();
                }
            }
        });
        Syncer { dirty, thread: Some((end, thread)) }
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.thread.take() {
            drop(end);
            let _ = thread.join();
        }
    }
}
