//! Opens recorded games: a line of a match's `games.jsonl`, or a file written by `save`.

use std::path::Path;

use anyhow::{Result, bail};
use banyan_catalog::matches::{GameLine, read_games};
use banyan_catalog::{Catalog, Opening, Record, Session};
use banyan_core::TextError;

/// A recorded game.
pub(crate) struct Recorded {
    /// The game after its last move.
    pub(crate) session: Box<dyn Session>,
    /// The players, and how the game ended if the board does not show it.
    pub(crate) about: Vec<(&'static str, String)>,
}

/// Pair and game, as in `12.1`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameId(u64, u8);

impl std::str::FromStr for GameId {
    type Err = TextError;

    fn from_str(text: &str) -> Result<GameId, TextError> {
        let parts = text.split_once('.').and_then(|(pair, game)| Some((pair.parse().ok()?, game.parse().ok()?)));
        let id = parts.filter(|&(_, game)| game < 2).map(|(pair, game)| GameId(pair, game));
        id.ok_or_else(|| TextError::new(text, "expected PAIR.GAME, where GAME is 0 or 1", "try 12.1"))
    }
}

/// Opens a game of `path`: the folder of a match, its `games.jsonl`, or a saved game.
pub(crate) fn open(catalog: &Catalog, path: &Path, id: Option<GameId>) -> Result<Recorded> {
    let games = path.join("games.jsonl");
    let is_match = path.is_dir() || path.extension().is_some_and(|ending| ending == "jsonl");
    if is_match {
        let lines = read_games(if path.is_dir() { &games } else { path })?;
        return open_line(catalog, pick(&lines, id, path)?);
    }
    if id.is_some() {
        bail!(TextError::new("--game", "a saved file holds only one game", "remove it"));
    }
    let text =
        banyan_catalog::read_text(path).map_err(|err| anyhow::anyhow!("cannot read {}: {err}", path.display()))?;
    let record = Record::read(&text)?;
    let about = vec![("players", record.players.join(" - "))];
    Ok(Recorded { session: record.open(catalog)?, about })
}

fn pick<'a>(lines: &'a [GameLine], id: Option<GameId>, path: &Path) -> Result<&'a GameLine> {
    let found = match id {
        Some(GameId(pair, game)) => lines.iter().find(|line| line.id() == (pair, game)),
        None => lines.iter().min_by_key(|line| line.id()),
    };
    match (found, lines.iter().map(|line| line.pair).max()) {
        (Some(line), _) => Ok(line),
        (None, Some(last)) => {
            let GameId(pair, game) = id.unwrap_or(GameId(0, 0));
            let expected = format!("not found in the {} games of {}", lines.len(), path.display());
            bail!(TextError::new(format!("game {pair}.{game}"), expected, format!("the last pair is {last}")))
        }
        (None, None) => bail!(TextError::new(
            path.display().to_string(),
            "contains no finished game",
            "try again after the first game"
        )),
    }
}

fn open_line(catalog: &Catalog, line: &GameLine) -> Result<Recorded> {
    let session = catalog.game(&line.spec)?.open(Opening::Moves(&line.moves))?;
    let mut about = vec![
        ("record", format!("{}.{}, opening {} of {} plies", line.pair, line.game, line.opening, line.opening_plies)),
        ("players", line.players.join(" - ")),
    ];
    if let (Some(side), Some(fault)) = (line.fault_by, &line.fault) {
        let loser = &line.players[side as usize];
        about.push(("fault", format!("{loser} lost: {fault}")));
    }
    Ok(Recorded { session, about })
}
