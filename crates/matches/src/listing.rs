//! The games of a record by player, result and opening.

use std::collections::BTreeMap;
use std::str::FromStr;

use banyan_arena::stats::Outcome;
use banyan_catalog::did_you_mean;
use banyan_catalog::pairs::GameLine;
use banyan_core::{Side, TextError};

/// Games of a record; by default all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GameFilter {
    /// Only games of this player: its name, or a part of the names of several.
    pub player: Option<String>,
    /// Only games with this result for that player, or else for the first player of the match.
    pub result: Option<GameResult>,
    /// Only games that begin with these moves, as the record has them.
    pub opening: Option<String>,
}

/// The result of a game for a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// It won.
    Won,
    /// A draw.
    Drawn,
    /// It lost, on the board or by a fault.
    Lost,
    /// It lost by a fault, such as an illegal move.
    Fault,
}

impl FromStr for GameResult {
    type Err = TextError;

    fn from_str(text: &str) -> Result<GameResult, TextError> {
        let words = [
            ("won", GameResult::Won),
            ("drawn", GameResult::Drawn),
            ("lost", GameResult::Lost),
            ("fault", GameResult::Fault),
        ];
        let found = words.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(text));
        found.map(|(_, result)| result).ok_or_else(|| {
            let expected =
                format!("expected won, drawn, lost or fault{}", did_you_mean(text, words.map(|(word, _)| word)));
            TextError::new(format!("result {text:?}"), expected, "try lost")
        })
    }
}

impl GameFilter {
    /// The games that are meant, each once, in the order of their pairs.
    ///
    /// # Errors
    /// No player of the record has the name.
    pub fn select<'a>(&self, lines: &'a [GameLine]) -> Result<Vec<&'a GameLine>, TextError> {
        let names = self.player.as_deref().map(|player| named(player, lines)).transpose()?;
        let opening: Vec<&str> = self.opening.iter().flat_map(|moves| moves.split_whitespace()).collect();
        let mut games: BTreeMap<(u64, u8), &GameLine> = BTreeMap::new();
        for line in lines {
            games.entry(line.id()).or_insert(line);
        }
        let is_meant = |line: &GameLine| {
            let is_of_player = |side: Side| match &names {
                Some(names) => names.contains(&line.players[side.index()].as_str()),
                None => line.seats[side.index()] == 0,
            };
            let has_result = |side: Side| self.result.is_none_or(|result| result.is_of(line, side));
            let begins = || {
                let mut moves = line.moves.split_whitespace();
                opening.iter().all(|mv| moves.next().is_some_and(|played| played.eq_ignore_ascii_case(mv)))
            };
            let is_free = names.is_none() && self.result.is_none();
            (is_free || Side::BOTH.into_iter().any(|side| is_of_player(side) && has_result(side))) && begins()
        };
        Ok(games.into_values().filter(|line| is_meant(line)).collect())
    }
}

impl GameResult {
    fn is_of(self, line: &GameLine, side: Side) -> bool {
        match self {
            GameResult::Won => line.outcome(side) == Outcome::Win,
            GameResult::Drawn => line.outcome(side) == Outcome::Draw,
            GameResult::Lost => line.outcome(side) == Outcome::Loss,
            GameResult::Fault => line.fault_by == Some(side.into()),
        }
    }
}

/// The player with this name, or else all whose names contain the text.
fn named<'a>(text: &str, lines: &'a [GameLine]) -> Result<Vec<&'a str>, TextError> {
    let mut names: Vec<&str> = lines.iter().flat_map(|line| &line.players).map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    if let Some(&name) = names.iter().find(|name| **name == text) {
        return Ok(vec![name]);
    }
    let found: Vec<&str> = names.iter().copied().filter(|name| name.contains(text)).collect();
    if !found.is_empty() && !text.is_empty() {
        return Ok(found);
    }
    let hint = did_you_mean(text, names.iter().copied());
    let expected = format!("expected one of {}{hint}", names.join(", "));
    Err(TextError::new(format!("player {text:?}"), expected, "name a player of the record, or a part of its name"))
}
