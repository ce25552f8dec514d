//! A record: read, checked against the rules, and written.

use std::fmt;

use banyan_catalog::{Catalog, GameState, Opening, Session};
use banyan_core::{Side, TextError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::entry::{BOXES, Color, Entry};
use crate::sau::Edge;

/// The game of all records.
const GAME: &str = "dots-and-boxes:5x5";

/// The remedy in errors about a record.
const REMEDY: &str = "correct the record";

/// The winner that a record names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Winner {
    /// `R` or `B`
    Known(Color),
    /// `U`: the game is not finished.
    Unfinished,
}

/// The data of a record besides the moves and the result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Heading {
    /// Names of the players, `First` first.
    pub players: [String; 2],
    /// The color of the side that began.
    pub began: Color,
    /// `Date`, as text of any form; empty if unknown.
    pub date: String,
    /// `Event`; empty if unknown.
    pub event: String,
}

/// A record as written in its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// `R`: the name of red.
    pub red: String,
    /// `B`: the name of blue.
    pub blue: String,
    /// `winner`
    pub winner: Winner,
    /// `RScore`: boxes of red.
    pub red_score: u32,
    /// `BScore`: boxes of blue.
    pub blue_score: u32,
    /// `Date`; empty if it is missing.
    pub date: String,
    /// `Event`; empty if it is missing.
    pub event: String,
    /// `game`: the edges in their order.
    pub entries: Vec<Entry>,
}

/// The JSON of a record. Values are checked one by one, so that errors name the value.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with R, B, winner, RScore, BScore and game")]
struct Json {
    #[serde(rename = "R")]
    red: Value,
    #[serde(rename = "B")]
    blue: Value,
    winner: Value,
    #[serde(rename = "RScore")]
    red_score: Value,
    #[serde(rename = "BScore")]
    blue_score: Value,
    #[serde(rename = "Date", default = "nothing")]
    date: Value,
    #[serde(rename = "Event", default = "nothing")]
    event: Value,
    game: Vec<JsonEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(expecting = "an object with piece")]
struct JsonEntry {
    piece: Value,
}

fn nothing() -> Value {
    Value::String(String::new())
}

impl Record {
    /// Whether `text` looks like a record: an object with a key that no other file format of Banyan has.
    pub fn is_in(text: &str) -> bool {
        text.trim_start().starts_with('{') && ["\"RScore\"", "\"BScore\"", "\"piece\""].iter().any(|key| has(text, key))
    }

    /// Parses a record, without playing its game.
    ///
    /// # Errors
    /// Invalid JSON, with line and column; or a value that is missing, duplicated or wrong, with its name.
    pub fn parse(text: &str) -> Result<Record, TextError> {
        let mut json = serde_json::Deserializer::from_str(text);
        let read = serde_path_to_error::deserialize::<_, Json>(&mut json).map_err(|err| {
            let path = err.path().to_string();
            // The path ends with a question mark where the text is broken.
            let path = path.trim_end_matches(['?', '.']);
            let place = if path.is_empty() { "record" } else { path };
            wrong(place, err.into_inner().to_string().replace(['\n', '\r'], " "))
        })?;
        json.end().map_err(|err| wrong("record", err.to_string()))?;
        let entry = |(i, entry): (usize, &JsonEntry)| {
            let place = format!("game[{i}].piece");
            let piece = text_of(&place, &entry.piece)?;
            Entry::parse(&piece).map_err(|expected| wrong(format!("{place}: {piece:?}"), expected))
        };
        let winner = match text_of("winner", &read.winner)?.as_str() {
            "R" => Winner::Known(Color::Red),
            "B" => Winner::Known(Color::Blue),
            "U" => Winner::Unfinished,
            other => return Err(wrong(format!("winner: {other:?}"), "expected R, B, or U for an unfinished game")),
        };
        Ok(Record {
            red: text_of("R", &read.red)?,
            blue: text_of("B", &read.blue)?,
            winner,
            red_score: score_of("RScore", &read.red_score)?,
            blue_score: score_of("BScore", &read.blue_score)?,
            date: text_of("Date", &read.date)?,
            event: text_of("Event", &read.event)?,
            entries: read.game.iter().enumerate().map(entry).collect::<Result<_, _>>()?,
        })
    }

    /// The record of a game.
    ///
    /// # Errors
    /// Another game or board, or a game that does not begin with the empty board.
    pub fn of(session: &Session, heading: &Heading) -> Result<Record, TextError> {
        let board = session.picture().map(|picture| (picture.rows, picture.columns));
        let is_dots = session.spec().split(':').next() == Some("dots-and-boxes");
        if !is_dots || board != Some((BOXES.into(), BOXES.into())) {
            let expected = "expected Dots and Boxes on 5x5 boxes, the game of CCGC records";
            return Err(TextError::new(session.spec(), expected, format!("use {GAME}")));
        }
        if session.opening().is_some() {
            let expected = "expected a game from the empty board, as CCGC records are";
            return Err(TextError::new("a game from a position", expected, "give its moves instead"));
        }
        let color = |side: Side| if side == Side::First { heading.began } else { !heading.began };
        let entry = |(mv, mover): (&String, Side)| Entry {
            color: color(mover),
            edge: Edge::of_move(mv).expect("a move of Dots and Boxes is an edge"),
        };
        let [red, blue] = in_colors(heading.players.clone(), heading.began);
        let [red_score, blue_score] = in_colors(scores(session), heading.began);
        Ok(Record {
            red,
            blue,
            winner: winner(session, [red_score, blue_score]),
            red_score,
            blue_score,
            date: heading.date.clone(),
            event: heading.event.clone(),
            entries: session.history().iter().zip(session.movers()).map(entry).collect(),
        })
    }

    /// The record in JSON, in one line.
    pub fn write(&self) -> String {
        let json = Json {
            red: self.red.clone().into(),
            blue: self.blue.clone().into(),
            winner: self.winner.to_string().into(),
            red_score: self.red_score.into(),
            blue_score: self.blue_score.into(),
            date: self.date.clone().into(),
            event: self.event.clone().into(),
            game: self.entries.iter().map(|entry| JsonEntry { piece: entry.to_string().into() }).collect(),
        };
        serde_json::to_string(&json).expect("a record holds only text and numbers") + "\n"
    }

    /// The data besides the moves and the result. The side of the first entry began; red if there is none.
    pub fn heading(&self) -> Heading {
        let began = self.entries.first().map_or(Color::Red, |entry| entry.color);
        let players = in_colors([self.red.clone(), self.blue.clone()], began);
        Heading { players, began, date: self.date.clone(), event: self.event.clone() }
    }

    /// The game after its last move.
    ///
    /// # Errors
    /// An entry that breaks the rules, or a score or a winner that contradicts the moves, with its place.
    pub fn open(&self, catalog: &Catalog) -> Result<Session, TextError> {
        let mut session = catalog.game(GAME)?.open(Opening::Start)?;
        let began = self.heading().began;
        for (i, entry) in self.entries.iter().enumerate() {
            let wrong = |expected: String| Err(wrong(format!("game[{i}].piece: \"{entry}\""), expected));
            if session.result().is_some() {
                return wrong("expected no entry after the end of the game".to_owned());
            }
            if let Some(drawn) = self.entries[..i].iter().position(|earlier| earlier.edge == entry.edge) {
                return wrong(format!("expected an edge that is not drawn yet; game[{drawn}] drew it"));
            }
            let mover = if session.to_move() == Side::First { began } else { !began };
            if entry.color != mover {
                return wrong(format!("expected an edge of {}, whose turn it is", mover.letter()));
            }
            session.play(&entry.edge.as_move())?;
        }
        let scores = in_colors(scores(&session), began);
        for (name, found, expected) in [("RScore", self.red_score, scores[0]), ("BScore", self.blue_score, scores[1])] {
            if found != expected {
                return Err(wrong(format!("{name}: {found}"), format!("expected {expected}, as the moves score")));
            }
        }
        self.check_winner(&session, scores)?;
        Ok(session)
    }

    fn check_winner(&self, session: &Session, scores: [u32; 2]) -> Result<(), TextError> {
        let ahead = winner_by(scores);
        let is_over = session.result().is_some();
        let [red, blue] = scores;
        match (self.winner, ahead) {
            (Winner::Unfinished, _) if !is_over => Ok(()),
            (Winner::Known(found), Some(color)) if found == color => Ok(()),
            (found, Some(color)) => {
                let letter = color.letter().to_ascii_uppercase();
                let or_u = if is_over { "" } else { " or U" };
                Err(wrong(format!("winner: {found}"), format!("expected {letter}{or_u} at a score of {red}-{blue}")))
            }
            (found, None) => {
                let n_left = session.legal_moves().len();
                let expected =
                    format!("expected U, because {n_left} edges are left and nobody has more than half the boxes");
                Err(wrong(format!("winner: {found}"), expected))
            }
        }
    }
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Winner::Known(color) => write!(f, "{}", color.letter().to_ascii_uppercase()),
            Winner::Unfinished => f.write_str("U"),
        }
    }
}

/// Converts a pair of values, one for each side, between the order `First`, `Second` and the order red, blue.
fn in_colors<T>([first, second]: [T; 2], began: Color) -> [T; 2] {
    if began == Color::Red { [first, second] } else { [second, first] }
}

/// The boxes of both sides, `First` first.
fn scores(session: &Session) -> [u32; 2] {
    session.points().expect("Dots and Boxes counts boxes")
}

/// The side with more than half of all boxes, red first.
fn winner_by([red, blue]: [u32; 2]) -> Option<Color> {
    let half = u32::from(BOXES) * u32::from(BOXES) / 2;
    match (red > half, blue > half) {
        (true, _) => Some(Color::Red),
        (_, true) => Some(Color::Blue),
        _ => None,
    }
}

fn winner(session: &GameState, scores: [u32; 2]) -> Winner {
    let is_over = session.result().is_some();
    winner_by(scores).filter(|_| is_over).map_or(Winner::Unfinished, Winner::Known)
}

/// Whether JSON contains a key, given in quotes: a string followed by a colon.
fn has(json: &str, key: &str) -> bool {
    json.match_indices(key).any(|(i, _)| json[i + key.len()..].trim_start().starts_with(':'))
}

fn text_of(place: &str, value: &Value) -> Result<String, TextError> {
    let text = value.as_str().map(str::to_owned);
    text.ok_or_else(|| wrong(format!("{place}: {value}"), "expected text in quotes"))
}

fn score_of(place: &str, value: &Value) -> Result<u32, TextError> {
    let most = u64::from(BOXES) * u64::from(BOXES);
    let score = value.as_u64().filter(|&score| score <= most).and_then(|score| score.try_into().ok());
    score.ok_or_else(|| wrong(format!("{place}: {value}"), format!("expected a number of boxes, 0 to {most}")))
}

fn wrong(found: impl Into<String>, expected: impl Into<String>) -> TextError {
    TextError::new(found, expected, REMEDY)
}
