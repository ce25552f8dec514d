//! The record of one game of a match: a line of JSON with the players, the moves, the result, and the resources used for each move.

use banyan_arena::stats::Outcome;
use banyan_core::{Side, TextError};
use serde::{Deserialize, Serialize};

use crate::storage::{LineForm, in_one_line};
use crate::view::{VERSION, json_line};

/// A finished game; also the event `game_end` of `match --json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameLine {
    /// [`VERSION`].
    pub v: u32,
    /// [`GameLine::EVENT`].
    pub event: String,
    /// Index of the pair in the schedule.
    pub pair: u64,
    /// The number of the game in the pair, 0 or 1.
    pub game: u8,
    /// The game specification, with the board that was drawn.
    pub spec: String,
    /// Number of the opening, which is that of the round.
    pub opening: u64,
    /// Moves of the opening, which no player chose.
    pub opening_plies: u16,
    /// Names of the players, the first side's first.
    pub players: [String; 2],
    /// Their numbers in the list of the match.
    pub seats: [usize; 2],
    /// The values of tuned settings, the first side's first, as in `c=0.52,expand-at=3`; empty for a side without.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tuned: Vec<String>,
    /// Seeds of their randomness.
    pub seeds: [u64; 2],
    /// The whole game from the start, opening included, as text.
    pub moves: String,
    /// The side that made each move after the opening, `0` for the first and `1` for the second, if the sides did not simply take
    /// turns; written by [`movers_text`](GameLine::movers_text), read by [`mover`](GameLine::mover).
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub movers: String,
    /// The final margin seen by the first side; `None` when a fault ended the game.
    pub margin: Option<i16>,
    /// The winner.
    pub winner: Winner,
    /// The kind of ending.
    pub ending: EndingKind,
    /// The side at fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault_by: Option<SideName>,
    /// The fault in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Number of times that it was started again because the whole program stood still.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub replays: u32,
    /// Per move after the opening, as all lists that follow: microseconds taken. A list of zeros is left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub time_us: Vec<u64>,
    /// Microseconds taken beyond the limit: more than the time margin only if the CPU time of a player of this program kept the limit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overrun_us: Vec<u64>,
    /// Playouts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub playouts: Vec<u64>,
    /// Nodes held.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nodes: Vec<u64>,
    /// Expected result seen by the mover, -1 .. 1, to four digits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub value: Vec<f64>,
    /// Share of the earlier search that was reused, 0 .. 1, to four digits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reused: Vec<f64>,
    /// The most bytes that each player's search held after a move, the first side's first; 0 for a player that reports none. `None`
    /// if both report none, and in records of versions that did not keep it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<[u64; 2]>,
    /// Milliseconds of wall time from the beginning of the match, or of its resumption, to the end of the game.
    pub at_ms: u64,
}

/// The winner of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The side that began.
    First,
    /// The side that answered.
    Second,
    /// No side.
    Draw,
}

/// A side by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// The side that begins.
    First,
    /// The side that answers.
    Second,
}

/// The kind of ending of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EndingKind {
    /// By the rules.
    Finished,
    /// By an illegal move.
    Illegal,
    /// By an answer that the protocol does not allow at that point, or by far too much output.
    Nonsense,
    /// By time.
    Late,
    /// By a panic in the player's code.
    Panicked,
    /// By the end of the player's process.
    Crashed,
    /// By resignation.
    Resigned,
}

impl GameLine {
    /// The side that lost; `None` for a draw.
    pub fn loser(&self) -> Option<Side> {
        match (self.fault_by, self.winner) {
            (Some(SideName::First), _) | (None, Winner::Second) => Some(Side::First),
            (Some(SideName::Second), _) | (None, Winner::First) => Some(Side::Second),
            (None, Winner::Draw) => None,
        }
    }

    /// The event type of the line.
    pub const EVENT: &str = "game_end";

    /// The pair and the game, unique in a match.
    pub fn id(&self) -> (u64, u8) {
        (self.pair, self.game)
    }

    /// The result of the side's player.
    pub fn outcome(&self, side: Side) -> Outcome {
        match (self.winner, side) {
            (Winner::Draw, _) => Outcome::Draw,
            (Winner::First, Side::First) | (Winner::Second, Side::Second) => Outcome::Win,
            _ => Outcome::Loss,
        }
    }

    /// The text of [`movers`](GameLine::movers) for moves made by `sides` after an opening of `opening_plies` plies: empty if the
    /// sides took turns from the first ply of the opening on.
    pub fn movers_text(opening_plies: u16, sides: impl Iterator<Item = Side> + Clone) -> String {
        let in_turn = |(i, side): (usize, Side)| side == Side::BOTH[(usize::from(opening_plies) + i) % 2];
        if sides.clone().enumerate().all(in_turn) {
            return String::new();
        }
        sides.map(|side| if side == Side::First { '0' } else { '1' }).collect()
    }

    /// The side that made the move with this number after the opening.
    pub fn mover(&self, move_idx: usize) -> Side {
        match self.movers.as_bytes().get(move_idx) {
            Some(b'0') => Side::First,
            Some(_) => Side::Second,
            None => Side::BOTH[(usize::from(self.opening_plies) + move_idx) % 2],
        }
    }

    /// The most bytes that the search of the side's player held after a move; `None` if unknown.
    pub fn peak_memory(&self, side: Side) -> Option<u64> {
        self.memory_bytes.map(|bytes| bytes[side.index()]).filter(|&bytes| bytes > 0)
    }

    /// Moves after the opening.
    pub fn n_moves(&self) -> usize {
        self.moves.split_whitespace().count().saturating_sub(self.opening_plies.into())
    }

    /// The line with lists of zeros left out, as it is after being written and read.
    pub fn lean(mut self) -> GameLine {
        for list in [&mut self.time_us, &mut self.overrun_us, &mut self.playouts, &mut self.nodes] {
            clear_zeros(list);
        }
        clear_zeros(&mut self.value);
        clear_zeros(&mut self.reused);
        self.memory_bytes = self.memory_bytes.filter(|bytes| *bytes != [0; 2]);
        self
    }

    /// The line without its line end.
    pub fn write(&self) -> String {
        json_line(self)
    }

    /// The game that [`write`](GameLine::write) wrote, or a line of `games.jsonl`, which has a checksum.
    ///
    /// # Errors
    /// Text that is not such a line, one of a later version, or a damaged one.
    pub fn read(text: &str) -> Result<GameLine, TextError> {
        if LineForm::Json.content(text, 0).is_err() {
            let expected = "expected the checksum with which it ends";
            return Err(TextError::new("a damaged line", expected, "restore the file, or remove this line"));
        }
        GameLine::parse(text.trim_start_matches('\u{feff}'))
    }

    /// The game of a line whose checksum is checked.
    pub fn parse(text: &str) -> Result<GameLine, TextError> {
        let remedy = "give a games.jsonl that `banyan match` wrote";
        let line: GameLine = serde_json::from_str(text).map_err(|err| {
            TextError::new("game", format!("expected the record of a game in JSON, but {}", in_one_line(err)), remedy)
        })?;
        if line.v != VERSION || line.game > 1 {
            let found = format!("game {} of version {}", line.game, line.v);
            return Err(TextError::new(found, format!("expected game 0 or 1 of version {VERSION}"), remedy));
        }
        Ok(line)
    }
}

impl From<Side> for SideName {
    fn from(side: Side) -> SideName {
        match side {
            Side::First => SideName::First,
            Side::Second => SideName::Second,
        }
    }
}

/// Has the signature that serde requires.
fn is_zero(n: &u32) -> bool {
    *n == 0
}

fn clear_zeros<T: Default + PartialEq>(list: &mut Vec<T>) {
    if list.iter().all(|x| *x == T::default()) {
        list.clear();
    }
}
