//! Opens recorded games by the path of their file and their number in it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Result;
use banyan_catalog::pairs::GameLine;
use banyan_catalog::storage::read_bytes;
use banyan_catalog::{Catalog, Session};
use banyan_core::TextError;
use banyan_formats::{GameFile, Recorded};
use banyan_matches::read_games;
use clap::Args;

use crate::input::args::Place;

/// A position: in a game, or in a recorded one.
#[derive(Clone, Debug, Args)]
pub(crate) struct AtOrRecord {
    /// Game, such as connect-four:10x11,hole=d3 (see `banyan games`), or a recorded game, such as runs/first:12.1; with
    /// --record the board of a transcript that does not name it.
    #[arg(required_unless_present = "record")]
    game: Option<String>,

    #[command(flatten)]
    place: Place,

    /// A recorded game: a match folder, its games.jsonl, a file written by `save`, games in GGF or WTHOR (.wtb), a CCGC
    /// record, a state of OpenSpiel, lines of moves such as 4453 (Connect Four) or f5d6c3 (Reversi), or a transcript of
    /// UGI, GTP, NBoard, SAU, Saiblo or Botzone.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["moves", "position"])]
    record: Option<PathBuf>,

    /// Which game of the record: of a match the pair and 0 or 1, such as 12.1; of a transcript or a file of games
    /// its number from 1 [default: the first].
    #[arg(long = "game", id = "id", value_name = "PAIR.GAME", requires = "record")]
    id: Option<GameId>,

    /// Position after N moves of the record [default: all].
    #[arg(long, value_name = "N")]
    pub(crate) ply: Option<usize>,
}

impl AtOrRecord {
    /// # Errors
    /// An invalid game, position, move or record.
    pub(crate) fn open(&self, catalog: &Catalog) -> Result<Recorded> {
        let mut recorded = match (&self.record, self.named_record(catalog)?) {
            (Some(path), _) => open(catalog, path, self.id, self.game.as_deref())?,
            (None, Some((path, id))) => open(catalog, &path, id, None)?,
            (None, None) => {
                if let Some(ply) = self.ply {
                    let remedy = "name one, such as runs/first:12.1";
                    return Err(TextError::new(format!("--ply {ply}"), "expected a record with it", remedy).into());
                }
                let session = self.place.open(catalog, self.game.as_deref().unwrap_or_default())?;
                return Ok(Recorded { session, players: None, about: Vec::new(), heading: None });
            }
        };
        if let Some(ply) = self.ply {
            go_back(&mut recorded.session, ply)?;
        }
        Ok(recorded)
    }
}

impl AtOrRecord {
    /// The record that is named instead of a game, as in `runs/first:12.1`, and which game of it.
    ///
    /// # Errors
    /// Which game it is cannot be read, or a position is given too.
    pub(crate) fn named_record(&self, catalog: &Catalog) -> Result<Option<(PathBuf, Option<GameId>)>, TextError> {
        let Some(text) = self.game.as_deref().filter(|text| self.record.is_none() && catalog.game(text).is_err())
        else {
            return Ok(None);
        };
        let (path, id) = file_and_game(text.as_ref())?;
        if !path.exists() {
            return Ok(None);
        }
        match (&self.place.moves, &self.place.position) {
            (None, None) => Ok(Some((path, id))),
            (moves, _) => {
                let option = if moves.is_some() { "--moves" } else { "--position" };
                Err(TextError::new(option, format!("expected a game with it, not the record {text}"), "remove it"))
            }
        }
    }

    /// The path of the record, if it is given as `--record`.
    pub(crate) fn record(&self) -> Option<&Path> {
        self.record.as_deref()
    }
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

/// Undoes all moves but the first `ply`.
fn go_back(session: &mut Session, ply: usize) -> Result<(), TextError> {
    let n_moves = session.history().len();
    if ply > n_moves {
        let expected = format!("expected at most {n_moves}, the moves of the record");
        return Err(TextError::new(format!("--ply {ply}"), expected, format!("use at most {n_moves}")));
    }
    (ply..n_moves).for_each(|_| drop(session.undo()));
    Ok(())
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

/// Opens a game of `path`: the folder of a match, its `games.jsonl`, a saved game, a CCGC record, games of WTHOR, or a
/// transcript. `spec` is the board of a transcript that does not name it.
///
/// # Errors
/// A file that cannot be read or has another format, a missing game, or an illegal move.
pub(crate) fn open(catalog: &Catalog, path: &Path, id: Option<GameId>, spec: Option<&str>) -> Result<Recorded> {
    let in_file = |err: TextError| err.at(path.display());
    let file = read(path)?;
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

fn read(path: &Path) -> Result<GameFile> {
    if path.is_dir() {
        return Ok(GameFile::Match(read_games(&path.join("games.jsonl"))?));
    }
    if path.extension().is_some_and(|ending| ending == "jsonl") {
        return Ok(GameFile::Match(read_games(path)?));
    }
    let bytes = read_bytes(path).map_err(|err| unreadable(path, &err.to_string()))?;
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let in_file = |err: TextError| err.at(path.display());
    Ok(GameFile::read(bytes, &name).map_err(in_file)?)
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
