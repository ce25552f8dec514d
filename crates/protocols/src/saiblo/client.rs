//! Asks an engine for moves as Saiblo does.

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits};

use super::{Start, Stone, Turn};
use crate::process::{Talk, unexpected};
use crate::protocol::{ClientProtocol, Options};

/// Speaks to one engine as Saiblo does: for every game it is started anew. Limits are its own affair.
#[derive(Debug, Default)]
pub struct Client {
    board: Option<Start>,
}

impl Client {
    /// A client; there is nothing to set.
    pub fn new(_options: &Options) -> Client {
        Client::default()
    }
}

impl ClientProtocol for Client {
    /// Engines say nothing before their first move.
    fn greet(&mut self, _talk: &mut Talk<'_>) -> Result<(), Fault> {
        Ok(())
    }

    fn begin(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, _seed: u64) -> Result<(), Fault> {
        let board = board(at)?;
        if self.board.replace(board).is_some() {
            talk.process().restart()?;
        }
        talk.say(&board.to_string());
        Ok(())
    }

    fn choose(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, _limits: &Limits) -> Result<Answer, Fault> {
        let board = self.board.ok_or_else(|| Fault::Nonsense("no game has begun".into()))?;
        let picture = at.picture().ok_or_else(|| Fault::Nonsense("a game without a board".into()))?;
        talk.say(&Turn::of_picture(&picture, at.to_move()).to_string());
        let text = talk.hear("framed move")?;
        let stone = Stone::parse(&text).ok_or_else(|| unexpected(&text, "a row and a column"))?;
        let mv = stone.name(&board).ok_or_else(|| Fault::Illegal(format!("{stone} is off the board")))?;
        Ok(Answer::bare(mv))
    }
}

/// The board as the engine is told of it.
fn board(at: &dyn GameState) -> Result<Start, Fault> {
    let picture = at.picture().ok_or_else(|| Fault::Nonsense("a game without a board".into()))?;
    Start::of(&picture).ok_or_else(|| Fault::Nonsense("Saiblo has words for one hole at most".into()))
}
