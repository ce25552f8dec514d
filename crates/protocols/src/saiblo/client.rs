//! Saiblo client: requests moves from an engine.

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits};

use super::{Start, Stone, Turn};
use crate::client::{ClientProtocol, Options, StartError};
use crate::process::{Exchange, unexpected};

/// Saiblo client for one engine, which is restarted for every game. The protocol cannot express limits.
#[derive(Debug, Default)]
pub struct Client {
    board: Option<Start>,
}

impl Client {
    /// A client; the protocol has no options.
    pub fn new(_options: &Options) -> Client {
        Client::default()
    }
}

impl ClientProtocol for Client {
    /// Engines send nothing before their first move.
    fn greet(&mut self, _talk: &mut Exchange<'_>) -> Result<(), StartError> {
        Ok(())
    }

    fn begin(&mut self, exchange: &mut Exchange<'_>, at: &GameState, _seed: u64) -> Result<(), Fault> {
        let board = board(at)?;
        if self.board.replace(board).is_some() {
            exchange.process().restart()?;
        }
        exchange.send(&board.to_string());
        Ok(())
    }

    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &GameState, _limits: &Limits) -> Result<Answer, Fault> {
        let board = self.board.ok_or_else(|| Fault::Nonsense("no game has started".into()))?;
        let picture = at.picture().ok_or_else(|| Fault::Nonsense("a game without a board".into()))?;
        exchange.send(&Turn::of_picture(&picture, at.to_move()).to_string());
        let text = exchange.receive("framed move")?;
        let stone = Stone::parse(&text).ok_or_else(|| unexpected(&text, "a row and a column"))?;
        let mv = stone.name(&board).ok_or_else(|| Fault::Illegal(format!("{stone} is off the board")))?;
        Ok(Answer::bare(mv))
    }
}

/// The board as sent to the engine.
fn board(at: &GameState) -> Result<Start, Fault> {
    let picture = at.picture().ok_or_else(|| Fault::Nonsense("a game without a board".into()))?;
    Start::of(&picture).ok_or_else(|| Fault::Nonsense("Saiblo supports at most one hole".into()))
}
