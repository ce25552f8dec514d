//! The folder of a match: `match.toml` holds the configuration, `games.jsonl` a line for every finished game. If the program
//! ends for any reason, only the running games are lost.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use banyan_catalog::pairs::{GameLine, MatchError, OpeningLines};
use banyan_catalog::storage::{
    FileError, Journal, JournalKind, LineForm, Lines, Opened, Seal, check_unused, is_draft_of, read_lines,
    read_own_text, remove_drafts, replace_file, sealed,
};
use banyan_core::TextError;

use crate::config::MatchConfig;

const CONFIG: &str = "match.toml";
pub(super) const GAMES: &str = "games.jsonl";
const OPENINGS: &str = "openings.txt";

const KIND: JournalKind = JournalKind {
    form: LineForm::Json,
    busy: "playing this match",
    work: "the match",
    in_folder: true,
    resume: |path| format!("resume the match with --resume {path}"),
};

/// The open folder of a match, locked against other processes.
pub struct MatchFolder {
    path: PathBuf,
    config: MatchConfig,
    games: Journal,
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
    /// Creates a match in a new or empty folder. The leftovers of a match that was killed while its folder was created count as
    /// nothing and are replaced.
    ///
    /// # Errors
    /// The folder is not empty, cannot be written, or another process creates a match in it.
    pub fn create(
        path: &Path,
        config: MatchConfig,
        openings: Option<&OpeningLines>,
    ) -> Result<MatchFolder, MatchError> {
        fs::create_dir_all(path).map_err(FileError::of("create", path))?;
        refuse_used(path, openings)?;
        // Locked before anything else is written, so that only one of two processes creates the match.
        let Opened { journal, .. } = Journal::open(&path.join(GAMES), &KIND)?;
        refuse_used(path, openings)?;
        remove_drafts(path);
        let mut folder = MatchFolder { path: path.to_owned(), config, games: journal };
        if let Some(openings) = openings {
            folder.games.keep(OPENINGS, openings.text().to_owned())?;
        }
        folder.write_config()?;
        Ok(folder)
    }

    /// Checks that [`create`](MatchFolder::create) would not refuse the folder, without creating it.
    ///
    /// # Errors
    /// It exists and is not empty, or cannot be read.
    pub fn check_unused(path: &Path, openings: Option<&OpeningLines>) -> Result<(), MatchError> {
        if !path.exists() {
            return Ok(());
        }
        // Refuses what is no folder.
        fs::create_dir_all(path).map_err(FileError::of("create", path))?;
        refuse_used(path, openings)
    }

    /// Resumes the match in a folder.
    ///
    /// # Errors
    /// There is no match, another process is playing it, a line before the last is invalid, or the configuration is not the one of
    /// the games.
    pub fn resume(path: &Path) -> Result<Resumed, MatchError> {
        let Stored { config, openings, text, seal } = read_config(path)?;
        let Opened { mut journal, lines } = Journal::open(&path.join(GAMES), &KIND)?;
        check_seal(path, seal, &lines)?;
        journal.remember(CONFIG, text);
        if let Some(openings) = &openings {
            journal.remember(OPENINGS, openings.text().to_owned());
        }
        let is_edited = seal == Seal::Broken;
        let lines = parsed(journal.path(), &lines)?;
        let cut_off = journal.cut_off()?;
        remove_drafts(path);
        let mut folder = MatchFolder { path: path.to_owned(), config, games: journal };
        if is_edited {
            // Before the first game; from now on it is the configuration of the games.
            folder.write_config()?;
        }
        Ok(Resumed { folder, lines, openings, cut_off })
    }

    fn write_config(&mut self) -> Result<(), MatchError> {
        Ok(self.games.keep(CONFIG, sealed(&self.config.write()))?)
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
        self.write_config()
    }

    /// Changes the file that defines the external engines.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn set_engines_file(&mut self, path: String) -> Result<(), MatchError> {
        self.config.made_by.engines_file = Some(path);
        self.write_config()
    }

    /// Appends a game, in one write.
    ///
    /// # Errors
    /// The file cannot be written, or another program has removed, moved or changed it.
    pub fn append(&mut self, line: &GameLine) -> Result<(), MatchError> {
        Ok(self.games.append(&line.write())?)
    }

    /// Writes a further file, replacing an old one.
    ///
    /// # Errors
    /// The file cannot be written, or another program has removed, moved or changed the games, of which it is the result.
    pub fn write_file(&self, name: &str, text: &str) -> Result<(), MatchError> {
        self.games.look()?;
        let path = self.path.join(name);
        Ok(replace_file(&path, text.as_bytes()).map_err(FileError::of("write", &path))?)
    }

    /// Syncs all games to disk.
    ///
    /// # Errors
    /// They cannot be written, or another program has removed, moved or changed the file.
    pub fn sync(&mut self) -> Result<(), MatchError> {
        Ok(self.games.sync()?)
    }
}

/// Reads a match without locking it: its configuration and its games, without an incomplete last line.
///
/// # Errors
/// There is no match, a line before the last is invalid, or the configuration is not the one of the games.
pub fn read_folder(path: &Path) -> Result<(MatchConfig, Option<OpeningLines>, Vec<GameLine>), MatchError> {
    let Stored { config, openings, seal, .. } = read_config(path)?;
    let file = path.join(GAMES);
    let lines = read_lines(&file, LineForm::Json)?;
    check_seal(path, seal, &lines)?;
    Ok((config, openings, parsed(&file, &lines)?))
}

/// Whether a folder holds a match, damaged or not.
pub fn holds_match(path: &Path) -> bool {
    path.join(CONFIG).exists()
}

/// The configuration in a match folder.
///
/// # Errors
/// There is no match, or the configuration is not the one of its games.
pub fn config_of(path: &Path) -> Result<MatchConfig, MatchError> {
    let Stored { config, seal, .. } = read_config(path)?;
    if seal == Seal::Broken && fs::metadata(path.join(GAMES)).is_ok_and(|games| games.len() > 0) {
        return Err(changed_config(path).into());
    }
    Ok(config)
}

/// Reads a file of game records, without an incomplete last line.
///
/// # Errors
/// The file cannot be read, or a line before the last is invalid.
pub fn read_games(path: &Path) -> Result<Vec<GameLine>, MatchError> {
    parsed(path, &read_lines(path, LineForm::Json)?)
}

/// The configuration as it was found in a folder.
struct Stored {
    config: MatchConfig,
    openings: Option<OpeningLines>,
    text: String,
    seal: Seal,
}

fn read_config(path: &Path) -> Result<Stored, MatchError> {
    let file = path.join(CONFIG);
    if !holds_match(path) {
        let expected = "expected a match folder, containing match.toml";
        let remedy = "use the folder given by --out";
        return Err(TextError::new(path.display().to_string(), expected, remedy).into());
    }
    let read = |file: &Path| read_own_text(file).map_err(FileError::of("read", file));
    let in_file = |err: TextError| err.at(path.display());
    let text = read(&file)?;
    let config = MatchConfig::read(&text).map_err(in_file)?;
    config.check().map_err(|err| in_file(err.at(CONFIG)))?;
    let openings = match &config.openings_digest {
        None => None,
        Some(digest) => {
            let openings = OpeningLines::read(&read(&path.join(OPENINGS))?).map_err(in_file)?;
            if openings.digest() != *digest {
                let expected = "expected the openings with which the match began";
                let err = TextError::new(OPENINGS, expected, "restore the file, or start a new match with --out");
                return Err(in_file(err).into());
            }
            Some(openings)
        }
    };
    let seal = Seal::of(&text);
    Ok(Stored { config, openings, text, seal })
}

/// Refuses a configuration that was changed after the first game. Before it a user may edit it.
fn check_seal(path: &Path, seal: Seal, lines: &Lines) -> Result<(), TextError> {
    if seal == Seal::Broken && !lines.is_empty() { Err(changed_config(path)) } else { Ok(()) }
}

fn changed_config(path: &Path) -> TextError {
    let expected = "expected the configuration of its games, of which the last line is a digest";
    let remedy = "restore the file, or start a new match with --out";
    TextError::new(CONFIG, expected, remedy).at(path.display())
}

fn parsed(path: &Path, lines: &Lines) -> Result<Vec<GameLine>, MatchError> {
    let read = |line: Result<(usize, &str), TextError>| {
        let (number, line) = line?;
        let place = |err: TextError| TextError { found: format!("{}:{number}", path.display()), ..err };
        GameLine::parse(line).map_err(place)
    };
    Ok(lines.iter().map(read).collect::<Result<_, _>>()?)
}

/// Refuses a folder that holds more than the leftovers of a match that was killed before its match.toml was complete.
fn refuse_used(path: &Path, openings: Option<&OpeningLines>) -> Result<(), MatchError> {
    let is_leftover = |name: &str, entry: &DirEntry| match name {
        GAMES => entry.metadata().is_ok_and(|found| found.is_file() && found.len() == 0),
        // Anything else may be the user's own file.
        OPENINGS => {
            openings.is_some_and(|openings| read_own_text(&entry.path()).is_ok_and(|found| found == openings.text()))
        }
        _ => is_draft(name),
    };
    if check_unused(path, is_leftover)? {
        return Ok(());
    }
    let remedy = "choose another folder, or resume the match with --resume";
    Err(TextError::new(path.display().to_string(), "expected a new or empty folder", remedy).into())
}

fn is_draft(name: &str) -> bool {
    [CONFIG, OPENINGS].iter().any(|whole| is_draft_of(whole, name))
}
