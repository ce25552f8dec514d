//! The folders of matches and sweeps: the list, results and games.

use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};

use banyan_api::Refusal;
use banyan_catalog::pairs::{GameLine, MatchError, Winner};
use banyan_core::TextError;
use banyan_matches::sweep::{StageGames, SweepResult};
use banyan_matches::{Entrant, Summary, config_of};
use serde::Serialize;

use super::cache::{FolderCache, MOST_READ};
use super::heading::{FolderView, Heading};
use super::records::{Games, Records};

/// Maximum number of folders in the list, the newest ones.
const MOST_FOLDERS: usize = 200;
/// Maximum number of games in one answer.
const MOST_GAMES: usize = 200;

#[derive(Serialize)]
pub(crate) struct FolderList {
    matches: Vec<FolderView>,
}

/// A match or a sweep with its result.
#[derive(Serialize)]
pub(crate) struct MatchView {
    #[serde(flatten)]
    folder: FolderView,
    board: String,
    openings: String,
    seed: u64,
    entrants: Vec<Entrant>,
    /// Number of pairs of each pairing.
    pairs_of_pairing: u64,
    summary: Option<Summary>,
    sweep: Option<SweepResult>,
}

/// A finished game in a list.
#[derive(Serialize)]
struct GameRow {
    pair: u64,
    game: u8,
    spec: String,
    players: [String; 2],
    winner: Winner,
    margin: Option<i16>,
    plies: usize,
    opening_plies: u16,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<String>,
}

#[derive(Serialize)]
pub(crate) struct GameList {
    games: Vec<GameRow>,
    of: usize,
}

/// The refusal for an error of a folder, whose text contains its path.
pub(super) fn refused(err: &MatchError) -> Refusal {
    Refusal::input(err.to_string().replace(['\n', '\r'], " "))
}

/// The folder with this id, which must be a single name, so that it lies in `dir`.
pub(super) fn path_of(dir: &Path, id: &str) -> Result<PathBuf, Refusal> {
    let name = Path::new(id);
    let is_name = matches!(name.components().collect::<Vec<_>>().as_slice(), [Component::Normal(part)] if *part == id);
    let path = dir.join(name);
    if is_name && path.join("match.toml").is_file() {
        return Ok(path);
    }
    Err(Refusal::not_found(&format!("match {id:?}")))
}

/// All folders in `dir`, the newest first. Unreadable ones are left out.
pub(super) fn list(dir: &Path, cache: &FolderCache, running: Option<&str>) -> FolderList {
    let entries = fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let path = entry.path().join("match.toml");
            let changed = fs::metadata(path).ok().filter(Metadata::is_file)?.modified().ok()?;
            Some((changed, entry.file_name().into_string().ok()?))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    found.truncate(MOST_FOLDERS);
    cache.keep(&found.iter().map(|(_, id)| id.clone()).collect());
    let mut left = MOST_READ;
    let folder = |(_, id): (_, String)| {
        let (path, cached) = (dir.join(&id), cache.get(&id));
        let heading = cached.heading(&path)?;
        let games = cached.n_games(&path, &mut left).ok()?;
        Some(heading.view(&id, games, running == Some(&id)))
    };
    FolderList { matches: found.into_iter().filter_map(folder).collect() }
}

/// The result of a match or a sweep so far.
pub(crate) fn result(dir: &Path, records: &Records, id: &str, is_running: bool) -> Result<MatchView, Refusal> {
    let path = path_of(dir, id)?;
    let config = config_of(&path).map_err(|err| refused(&err))?;
    let view = |games: &mut Games| {
        let n_games = Some(games.lines().len());
        let sweep = match config.sweep {
            Some(_) => Some(SweepResult::of(&[StageGames { config: &config, lines: games.lines() }], false, 0)?),
            None => None,
        };
        Ok(MatchView {
            folder: Heading::of(&config).view(id, n_games, is_running),
            summary: sweep.is_none().then(|| games.summary(&config)),
            sweep,
            board: config.game.clone(),
            openings: config.openings.clone(),
            seed: config.seed,
            entrants: config.players.clone(),
            pairs_of_pairing: config.pairs,
        })
    };
    let result: Result<MatchView, TextError> = of_games(&path, records, view)?;
    result.map_err(|err| refused(&err.at(path.display()).into()))
}

fn of_games<T>(path: &Path, records: &Records, use_them: impl FnOnce(&mut Games) -> T) -> Result<T, Refusal> {
    records.with(&path.join("games.jsonl"), use_them).map_err(|err| refused(&err.into()))
}

/// The games from number `from`, in the order in which they ended.
pub(crate) fn games(dir: &Path, records: &Records, id: &str, from: usize) -> Result<GameList, Refusal> {
    let row = |line: &GameLine| GameRow {
        plies: line.moves.split_whitespace().count(),
        pair: line.pair,
        game: line.game,
        spec: line.spec.clone(),
        players: line.players.clone(),
        winner: line.winner,
        margin: line.margin,
        opening_plies: line.opening_plies,
        fault: line.fault.clone(),
    };
    let list = |games: &mut Games| {
        let lines = games.lines();
        GameList { games: lines.iter().skip(from).take(MOST_GAMES).map(row).collect(), of: lines.len() }
    };
    of_games(&path_of(dir, id)?, records, list)
}

/// The game with the name `PAIR.GAME`.
pub(crate) fn game(dir: &Path, records: &Records, id: &str, name: &str) -> Result<GameLine, Refusal> {
    let wanted = name.split_once('.').and_then(|(pair, game)| Some((pair.parse().ok()?, game.parse().ok()?)));
    let find = |games: &mut Games| games.lines().iter().find(|line| Some(line.id()) == wanted).cloned();
    let line = of_games(&path_of(dir, id)?, records, find)?;
    line.ok_or_else(|| Refusal::not_found(&format!("game {name:?}")))
}
