//! Saved games as small, readable JSON objects.

use banyan_core::TextError;
use serde::{Deserialize, Serialize};

use crate::game_state::Opening;
use crate::registry::Catalog;
use crate::session::Session;
use crate::storage::in_one_line;
use crate::view::VERSION;

/// A game, finished or not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// [`VERSION`].
    pub v: u32,
    /// The game specification.
    pub game: String,
    /// The starting position, unless it is the default one.
    #[serde(default)]
    pub position: Option<String>,
    /// The players, `First` first.
    pub players: [String; 2],
    /// The moves.
    pub moves: Vec<String>,
    /// The final margin from the viewpoint of `First`, if the game is over.
    #[serde(default)]
    pub result: Option<i16>,
}

impl Record {
    /// The record of `session`.
    pub fn of(session: &Session, players: [String; 2]) -> Record {
        Record {
            v: VERSION,
            game: session.spec(),
            position: session.opening(),
            players,
            moves: session.history(),
            result: session.result().map(|margin| margin.0),
        }
    }

    /// The record as text for a file.
    pub fn write(&self) -> String {
        let json = serde_json::to_string_pretty(self).expect("a record holds only text and numbers");
        json + "\n"
    }

    /// Whether `text` is meant to be a record: an object with moves or players, which other JSON does not have.
    pub fn is_in(text: &str) -> bool {
        text.trim_start().starts_with('{') && ["\"moves\"", "\"players\""].iter().any(|key| text.contains(key))
    }

    /// Parses the output of [`write`](Record::write).
    ///
    /// # Errors
    /// An invalid record, or one of a later version.
    pub fn read(text: &str) -> Result<Record, TextError> {
        let remedy = "use a file written by `save`";
        let record: Record = serde_json::from_str(text).map_err(|err| {
            TextError::new("saved game", format!("expected a record in JSON: {}", in_one_line(err)), remedy)
        })?;
        if record.v != VERSION {
            let found = format!("saved game of version {}", record.v);
            return Err(TextError::new(found, format!("expected version {VERSION}"), remedy));
        }
        Ok(record)
    }

    /// The game after its last move.
    ///
    /// # Errors
    /// An invalid game, position or move.
    pub fn open(&self, catalog: &Catalog) -> Result<Session, TextError> {
        let opening = self.position.as_deref().map_or(Opening::Start, Opening::Position);
        let mut session = catalog.game(&self.game)?.open(opening)?;
        for (i, mv) in self.moves.iter().enumerate() {
            session.play(mv).map_err(|err| TextError { found: format!("move {}: {}", i + 1, err.found), ..err })?;
        }
        Ok(session)
    }
}
