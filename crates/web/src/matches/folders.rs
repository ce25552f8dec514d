//! The folders of matches and sweeps: the list, results and games.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::Mutex;

use banyan_catalog::matches::{Entrant, GameLine, MatchConfig, MatchError, Summary, Winner, config_of};
use banyan_catalog::sweep::{StageGames, SweepResult};
use serde::Serialize;

use super::records::{Games, Records};
use crate::jobs::lock;
use crate::refusal::Refusal;

/// Folders in the list, the newest ones.
const MOST_FOLDERS: usize = 200;
/// Games in one answer.
const MOST_GAMES: usize = 200;

/// Whether games are missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Progress {
    Running,
    Stopped,
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Match,
    Sweep,
    Rating,
    Tune,
}

/// A folder in the list.
#[derive(Serialize)]
pub(crate) struct FolderView {
    id: String,
    kind: Kind,
    title: String,
    state: Progress,
    /// Games that are recorded, and all of them.
    games: usize,
    of: Option<u64>,
}

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
    /// Pairs of each pairing.
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

/// An error of a folder, whose text names its path.
pub(super) fn refused(err: &MatchError) -> Refusal {
    Refusal::input(err.to_string().replace(['\n', '\r'], " "))
}

/// The folder of this id: a single name, so that it lies in `dir`.
pub(super) fn path_of(dir: &Path, id: &str) -> Result<PathBuf, Refusal> {
    let name = Path::new(id);
    let is_name = matches!(name.components().collect::<Vec<_>>().as_slice(), [Component::Normal(part)] if *part == id);
    let path = dir.join(name);
    if is_name && path.join("match.toml").is_file() {
        return Ok(path);
    }
    Err(Refusal::not_found(&format!("match {id:?}")))
}

fn view(id: &str, config: &MatchConfig, games: usize, is_running: bool) -> FolderView {
    let kind = match config {
        MatchConfig { sweep: Some(_), .. } => Kind::Sweep,
        MatchConfig { rating: Some(_), .. } => Kind::Rating,
        MatchConfig { tune: Some(_), .. } => Kind::Tune,
        _ => Kind::Match,
    };
    let pairs = config.schedule().ok().and_then(|schedule| schedule.n_pairs_of_shard());
    let of = pairs.map(|pairs| pairs * 2).filter(|_| config.sprt.is_none() && kind != Kind::Rating);
    let state = match of {
        _ if is_running => Progress::Running,
        Some(of) if games as u64 >= of => Progress::Done,
        _ => Progress::Stopped,
    };
    FolderView { id: id.to_owned(), kind, title: title(config), state, games, of }
}

/// `connect-four: mcgs, uct`
fn title(config: &MatchConfig) -> String {
    let names: Vec<&str> = config.players.iter().take(3).map(|player| player.name.as_str()).collect();
    let more = config.players.len() - names.len();
    let players = match &config.sweep {
        Some(sweep) => format!("{} of {}", sweep, config.players.last().map_or("", |player| &player.name)),
        None if more > 0 => format!("{} and {more} more", names.join(", ")),
        None => names.join(" - "),
    };
    format!("{}: {players}", config.game)
}

/// The games in the folders: length of the file and its lines. A list is asked for again and again, and only what was added since then is
/// read.
#[derive(Default)]
pub(super) struct GameCounts(Mutex<HashMap<PathBuf, (u64, usize)>>);

impl GameCounts {
    fn count(&self, path: PathBuf) -> Option<usize> {
        let mut file = File::open(&path).ok()?;
        let length = file.metadata().ok()?.len();
        let mut counts = lock(&self.0);
        let (from, before) = counts.get(&path).copied().filter(|&(known, _)| known <= length).unwrap_or_default();
        file.seek(SeekFrom::Start(from)).ok()?;
        let (mut part, mut count, mut read) = (vec![0; 1 << 16], before, from);
        loop {
            let n = file.read(&mut part).ok()?;
            if n == 0 {
                break;
            }
            read += n as u64;
            count += part[..n].iter().filter(|&&byte| byte == b'\n').count();
        }
        counts.insert(path, (read, count));
        Some(count)
    }
}

/// All folders in `dir`, the newest first. What cannot be read is left out.
pub(super) fn list(dir: &Path, counts: &GameCounts, running: Option<&str>) -> FolderList {
    let entries = fs::read_dir(dir).into_iter().flatten().filter_map(Result::ok);
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let path = entry.path().join("match.toml");
            let changed = fs::metadata(path).ok()?.modified().ok()?;
            Some((changed, entry.file_name().into_string().ok()?))
        })
        .collect();
    found.sort_by(|one, other| other.cmp(one));
    let folder = |(_, id): (_, String)| {
        let path = dir.join(&id);
        let config = config_of(&path).ok()?;
        let games = counts.count(path.join("games.jsonl"))?;
        Some(view(&id, &config, games, running == Some(&id)))
    };
    FolderList { matches: found.into_iter().take(MOST_FOLDERS).filter_map(folder).collect() }
}

/// The result of a match or a sweep so far.
pub(crate) fn result(dir: &Path, records: &Records, id: &str, is_running: bool) -> Result<MatchView, Refusal> {
    let path = path_of(dir, id)?;
    let config = config_of(&path).map_err(|err| refused(&err))?;
    let view = |games: &mut Games| {
        let sweep = || SweepResult::of(&[StageGames { config: &config, lines: games.lines() }], false, 0).ok();
        MatchView {
            folder: view(id, &config, games.lines().len(), is_running),
            sweep: config.sweep.is_some().then(sweep).flatten(),
            summary: config.sweep.is_none().then(|| games.summary(&config)),
            board: config.game.clone(),
            openings: config.openings.clone(),
            seed: config.seed,
            entrants: config.players.clone(),
            pairs_of_pairing: config.pairs,
        }
    };
    of_games(&path, records, view)
}

fn of_games<T>(path: &Path, records: &Records, use_them: impl FnOnce(&mut Games) -> T) -> Result<T, Refusal> {
    records.with(&path.join("games.jsonl"), use_them).map_err(|err| refused(&err.into()))
}

/// The games from number `from` on, in the order in which they ended.
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

/// The game `PAIR.GAME`.
pub(crate) fn game(dir: &Path, records: &Records, id: &str, name: &str) -> Result<GameLine, Refusal> {
    let wanted = name.split_once('.').and_then(|(pair, game)| Some((pair.parse().ok()?, game.parse().ok()?)));
    let find = |games: &mut Games| games.lines().iter().find(|line| Some(line.id()) == wanted).cloned();
    let line = of_games(&path_of(dir, id)?, records, find)?;
    line.ok_or_else(|| Refusal::not_found(&format!("game {name:?}")))
}
