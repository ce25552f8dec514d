//! A position in a request: a game, its first position, and moves.

use banyan_catalog::{Catalog, Opening, Session};
use banyan_core::TextError;
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;

/// A position in a game. The server stores no games: the page holds their moves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub(crate) struct Spot {
    /// The game with its board: `connect-four:10x11,hole=d3`.
    pub(crate) game: String,
    /// The first position, unless it is the start of the game.
    #[serde(default)]
    pub(crate) position: Option<String>,
    /// The moves from there.
    #[serde(default)]
    pub(crate) moves: Vec<String>,
}

impl Spot {
    /// The game at its first position.
    pub(crate) fn begin(&self, catalog: &Catalog) -> Result<Session, Refusal> {
        let game = catalog.game(&self.game).map_err(|err| Refusal::in_field("game", &err))?;
        let opening = self.position.as_deref().map_or(Opening::Start, Opening::Position);
        game.open(opening).map_err(|err| Refusal::in_field("position", &err))
    }

    /// The game after its moves.
    pub(crate) fn open(&self, catalog: &Catalog) -> Result<Session, Refusal> {
        let mut session = self.begin(catalog)?;
        for (i, mv) in self.moves.iter().enumerate() {
            let named = |err: TextError| TextError { found: format!("move {}: {}", i + 1, err.found), ..err };
            session.play(mv).map_err(|err| Refusal::in_field("moves", &named(err)))?;
        }
        Ok(session)
    }
}
