//! A position in a request: a game, its first position, and moves.

use banyan_catalog::{Opening, Session};
use banyan_core::TextError;
use serde::{Deserialize, Serialize};

use crate::offer::Offer;
use crate::refusal::{Code, Refusal};

/// A position in a game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Spot {
    /// The game with its board: `connect-four:10x11,hole=d3`.
    pub game: String,
    /// The first position, unless it is the start of the game.
    pub position: Option<String>,
    /// The moves from there.
    #[serde(default)]
    pub moves: Vec<String>,
}

impl Spot {
    /// The game after its moves, to be searched: its weights are there.
    pub(crate) fn open_to_search(&self, offer: &Offer) -> Result<Session, Refusal> {
        let session = self.open(offer)?;
        match session.tables().weights.iter().find(|file| !file.is_loaded()) {
            None => Ok(session),
            Some(file) => {
                let expected = "expected the file, which is beside the module";
                let refusal = Refusal::new(Code::NoWeights, &format!("{}: not loaded", file.name), expected, "load it");
                Err(Refusal { field: Some(file.name), ..refusal })
            }
        }
    }

    /// The game after its moves.
    pub(crate) fn open(&self, offer: &Offer) -> Result<Session, Refusal> {
        let game = offer.catalog.game(&self.game).map_err(|err| Refusal::in_field("game", &err))?;
        let opening = self.position.as_deref().map_or(Opening::Start, Opening::Position);
        let mut session = game.open(opening).map_err(|err| Refusal::in_field("position", &err))?;
        for (i, mv) in self.moves.iter().enumerate() {
            let named = |err: TextError| TextError { found: format!("move {}: {}", i + 1, err.found), ..err };
            session.play(mv).map_err(|err| Refusal::in_field("moves", &named(err)))?;
        }
        Ok(session)
    }
}
