//! Opens recorded games by the path of their file and their number in it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_catalog::pairs::GameLine;
use banyan_catalog::storage::read_bytes;
use banyan_core::TextError;
use banyan_formats::{GameFile, Reading, Recorded, is_record};
use banyan_matches::read_games;
use clap::Args;

use crate::input::args::Place;

/// A position: in a game, or in a recorded one.
#[derive(Clone, Debug, Args)]
pub(crate) struct AtOrRecord {
    /// Game, such as connect-four:10x11,hole=d3 (see `banyan games`), or a recorded game, such as runs/first:12.1; may be left out if the
    /// moves, the position, the opening or the record show it.
    #[arg(required_unless_present_any = ["record", "moves", "position", "opening"])]
    game: Option<String>,

    #[command(flatten)]
    place: Place,

    /// A recorded game or position: a file, the folder of a match, or the text itself.
    // The long help lists the forms, in `command::with_games`.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["moves", "position", "opening"])]
    record: Option<PathBuf>,

    /// Which game of the record: of a match the pair and 0 or 1, such as 12.1; of a transcript or a file of games
    /// its number from 1 [default: the first].
    #[arg(long = "game", id = "id", value_name = "PAIR.GAME", requires = "record", conflicts_with_all = ["moves", "position", "opening"])]
    id: Option<GameId>,

    /// Position after N moves of the record [default: all].
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<usize>,
}

impl AtOrRecord {
    /// The game that was named.
    pub(crate) fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }

    /// # Errors
    /// An invalid game, position, move or record.
    pub(crate) fn open(&self, catalog: &Catalog) -> Result<Recorded> {
        let (path, id, spec) = match (&self.record, self.named_record(catalog)?) {
            (Some(path), _) => (path.clone(), self.id, self.game.as_deref()),
            (None, Some((path, id))) => (path, id, None),
            (None, None) => return self.open_place(catalog),
        };
        let mut recorded = open_to_mistake(catalog, &path, id, spec)?;
        let n_moves = recorded.session.history().len();
        match self.ply {
            // Moves behind the position do not matter.
            Some(ply) if ply <= n_moves => (ply..n_moves).for_each(|_| drop(recorded.session.undo())),
            Some(ply) => {
                whole(recorded, &path)?;
                let expected = format!("expected at most {n_moves}, the moves of the record");
                let found = format!("--ply {ply}");
                return Err(TextError::new(found, expected, format!("use at most {n_moves}")).into());
            }
            None => recorded = whole(recorded, &path)?,
        }
        Ok(recorded)
    }

    /// The position that is given without a record.
    fn open_place(&self, catalog: &Catalog) -> Result<Recorded> {
        if let Some(ply) = self.ply {
            let remedy = "name one, such as runs/first:12.1";
            return Err(TextError::new(format!("--ply {ply}"), "expected a record with it", remedy).into());
        }
        Ok(Recorded::new(self.place.open(catalog, self.game.as_deref())?, None))
    }

    /// The record that is named instead of a game, as in `runs/first:12.1`, and which game of it.
    ///
    /// # Errors
    /// The number of the game cannot be read, or a position is given too.
    pub(crate) fn named_record(&self, catalog: &Catalog) -> Result<Option<(PathBuf, Option<GameId>)>, TextError> {
        let Some(text) = self.game.as_deref().filter(|text| self.record.is_none() && catalog.game(text).is_err())
        else {
            return Ok(None);
        };
        let (path, id) = file_and_game(text.as_ref())?;
        let is_text = !path.exists() && is_record(text);
        if !path.exists() && !is_text {
            return match is_path(text, id) {
                true => Err(missing(&path)),
                false => Ok(None),
            };
        }
        let (path, id) = if is_text { (PathBuf::from(text), None) } else { (path, id) };
        let place = &self.place;
        let options = [(&place.moves, "--moves"), (&place.position, "--position"), (&place.opening, "--opening")];
        match options.into_iter().find(|(given, _)| given.is_some()) {
            None => Ok(Some((path, id))),
            Some((_, option)) => {
                Err(TextError::new(option, format!("expected a game with it, not the record {text}"), "remove it"))
            }
        }
    }

    /// The path of the record, if it is given as `--record`.
    pub(crate) fn record(&self) -> Option<&Path> {
        self.record.as_deref()
    }
}

/// Whether a text that names neither a game nor a file was meant as a path, as `runs/first` or `first:12.1` is.
fn is_path(text: &str, id: Option<GameId>) -> bool {
    let has_separator = text.contains(std::path::MAIN_SEPARATOR) && !text.contains(char::is_whitespace);
    has_separator || matches!(id, Some(GameId::OfMatch(..)))
}

fn missing(path: &Path) -> TextError {
    let expected = "expected a match folder, containing match.toml, or a file with a recorded game; it does not exist";
    TextError::new(path.display().to_string(), expected, "name another one")
}

/// The path and the game of `FILE[:N]`. If a file with the whole name exists, it is used.
///
/// # Errors
/// The file exists, but what follows it names no game.
pub(crate) fn file_and_game(text: &OsStr) -> Result<(PathBuf, Option<GameId>), TextError> {
    let whole = PathBuf::from(text);
    let Some((path, id)) = text.to_str().and_then(|text| text.rsplit_once(':')) else { return Ok((whole, None)) };
    if whole.exists() || path.is_empty() {
        return Ok((whole, None));
    }
    match id.parse() {
        Ok(id) => Ok((path.into(), Some(id))),
        Err(err) if PathBuf::from(path).exists() => Err(err),
        Err(_) => Ok((whole, None)),
    }
}

/// A game of a file with several games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GameId {
    /// Pair and game of a match, as in `12.1`.
    OfMatch(u64, u8),
    /// Its number in a transcript, from 1.
    Nth(usize),
}

impl std::str::FromStr for GameId {
    type Err = TextError;

    fn from_str(text: &str) -> Result<GameId, TextError> {
        let id = match text.split_once('.') {
            Some((pair, game)) => pair
                .parse()
                .ok()
                .zip(game.parse().ok().filter(|&game| game < 2))
                .map(|(pair, game)| GameId::OfMatch(pair, game)),
            None => text.parse().ok().filter(|&n| n > 0).map(GameId::Nth),
        };
        let expected = "expected PAIR.GAME, where GAME is 0 or 1, or the number of a game in a transcript";
        id.ok_or_else(|| TextError::new(text, expected, "try 12.1"))
    }
}

/// The whole game.
///
/// # Errors
/// A mistake in the file.
fn whole(recorded: Recorded, path: &Path) -> Result<Recorded, TextError> {
    recorded.whole().map_err(|err| if path.exists() { err.at(path.display()) } else { err })
}

/// Opens a game of `path`: the folder of a match, its `games.jsonl`, a saved game, a CCGC record, games of WTHOR, or a
/// transcript. `spec` is the board of a transcript that does not name it.
///
/// # Errors
/// A file that cannot be read or has another format, a missing game, or an illegal move.
pub(crate) fn open(catalog: &Catalog, path: &Path, id: Option<GameId>, spec: Option<&str>) -> Result<Recorded> {
    Ok(whole(open_to_mistake(catalog, path, id, spec)?, path)?)
}

/// The game of a transcript up to its first mistake, which is in it.
fn open_to_mistake(catalog: &Catalog, path: &Path, id: Option<GameId>, spec: Option<&str>) -> Result<Recorded> {
    // The text of a record is no path.
    let in_file = |err: TextError| if path.exists() { err.at(path.display()) } else { err };
    let file = read(catalog, path, spec)?;
    let idx = match &file {
        GameFile::Match(lines) => pick(lines, id, path)?,
        GameFile::Saved(_) | GameFile::Ccgc(_) => {
            refuse_number(id)?;
            0
        }
        GameFile::Transcripts(games) => number(games.len(), id).map_err(in_file)?,
    };
    let recorded = file.open(catalog, idx, spec).map_err(in_file)?;
    file.check(catalog, spec).map_err(in_file)?;
    match file {
        GameFile::Transcripts(_) => Ok(recorded),
        _ => Ok(check_game(catalog, recorded, spec)?),
    }
}

/// Opens the game of a text that a person types: the path of a file or a folder, with or without the number of a game behind it, or
/// the game itself.
///
/// # Errors
/// As for [`open`].
pub(crate) fn open_typed(catalog: &Catalog, text: &str) -> Result<Recorded> {
    let numbered = text.rsplit_once(char::is_whitespace);
    let numbered = numbered.and_then(|(path, id)| Some((path.trim_end(), id.parse().ok()?)));
    match numbered.filter(|(path, _)| Path::new(path).exists() && !Path::new(text).exists()) {
        Some((path, id)) => open(catalog, Path::new(path), Some(id), None),
        None => open(catalog, Path::new(text), None, None),
    }
}

fn read(catalog: &Catalog, path: &Path, spec: Option<&str>) -> Result<GameFile> {
    let reading = Reading::new(catalog, spec);
    if path.is_dir() {
        return Ok(GameFile::Match(read_games(&path.join("games.jsonl"))?));
    }
    if path.extension().is_some_and(|ending| ending == "jsonl") {
        return Ok(GameFile::Match(read_games(path)?));
    }
    let bytes = match read_bytes(path) {
        Ok(bytes) => bytes,
        Err(err) => {
            // The text of a record instead of its path.
            let text = path.to_string_lossy();
            let read = reading.file(text.as_bytes().to_vec(), "");
            return match read {
                Ok((file, _)) => Ok(file),
                Err(of_record) if is_record(&text) => Err(of_record.into()),
                Err(_) => Err(unreadable(path, &err.to_string()).into()),
            };
        }
    };
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let in_file = |err: TextError| err.at(path.display());
    Ok(reading.file(bytes, &name).map_err(in_file)?.0)
}

fn unreadable(path: &Path, why: &str) -> TextError {
    let found = format!("cannot read {}: {why}", path.display());
    TextError::new(found, "expected a file with a recorded game", "try another name")
}

/// Refuses the number of a game in a file with only one game.
fn refuse_number(id: Option<GameId>) -> Result<(), TextError> {
    match id {
        Some(_) => {
            Err(TextError::new("--game", "expected no number for a saved file, which holds one game", "remove it"))
        }
        None => Ok(()),
    }
}

/// Checks that the game is the requested one, if a game was given.
fn check_game(catalog: &Catalog, recorded: Recorded, spec: Option<&str>) -> Result<Recorded, TextError> {
    let given = spec.map(|spec| catalog.game(spec)).transpose()?.map(|game| game.spec());
    let found = recorded.session.spec();
    match given.filter(|given| *given != found) {
        Some(given) => Err(TextError::new(given, format!("expected {found}, as in the record"), "leave the game out")),
        None => Ok(recorded),
    }
}

/// The index of a game of a match.
fn pick(lines: &[GameLine], id: Option<GameId>, path: &Path) -> Result<usize, TextError> {
    let found = match id {
        Some(GameId::OfMatch(pair, game)) => lines.iter().position(|line| line.id() == (pair, game)),
        Some(GameId::Nth(n)) => {
            let expected = "expected PAIR.GAME for a game of a match, where GAME is 0 or 1";
            return Err(TextError::new(format!("--game {n}"), expected, format!("try {n}.0")));
        }
        None => (0..lines.len()).min_by_key(|&idx| lines[idx].id()),
    };
    match (found, id, lines.iter().map(|line| line.pair).max()) {
        (Some(idx), ..) => Ok(idx),
        (None, Some(GameId::OfMatch(pair, game)), Some(last)) => {
            let expected = format!("expected one of the {} games of {}", lines.len(), path.display());
            Err(TextError::new(format!("game {pair}.{game}"), expected, format!("the last pair is {last}")))
        }
        _ => Err(TextError::new(
            path.display().to_string(),
            "expected at least one finished game",
            "try again after the first game",
        )),
    }
}

/// The index of a game of a transcript.
fn number(n_games: usize, id: Option<GameId>) -> Result<usize, TextError> {
    let n = match id {
        None => 1,
        Some(GameId::Nth(n)) => n,
        Some(GameId::OfMatch(pair, game)) => {
            let expected = "expected one number, since a transcript has no pairs";
            return Err(TextError::new(format!("--game {pair}.{game}"), expected, "try --game 1"));
        }
    };
    if n_games == 0 {
        return Err(TextError::new("transcript", "expected at least one game", "use one with the moves of a game"));
    }
    if n > n_games {
        let (games, remedy) = match n_games {
            1 => ("1 game".to_owned(), "use 1".to_owned()),
            _ => (format!("{n_games} games"), format!("use 1 to {n_games}")),
        };
        return Err(TextError::new(
            format!("--game {n}"),
            format!("expected one of the games of the transcript, which has {games}"),
            remedy,
        ));
    }
    Ok(n - 1)
}
