//! Asks an engine for moves over SAU: edge by edge, while it answers with whole turns.

use std::collections::VecDeque;

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits, Margin, Side};

use super::{Edge, FromEngine, ToEngine, Turn};
use crate::process::{Talk, speaks_another, unexpected};
use crate::protocol::{ClientProtocol, Options};

/// Speaks SAU to one engine. Limits are its own affair: the protocol has no words for them.
#[derive(Debug, Default)]
pub struct Client {
    /// The side it plays, once the game has begun for it.
    side: Option<Side>,
    /// Plies of the game that it knows of, its own turn included.
    n_known: usize,
    /// What is left of its last turn.
    rest: VecDeque<String>,
}

impl Client {
    /// A client; there is nothing to set.
    pub fn new(_options: &Options) -> Client {
        Client::default()
    }

    /// Tells what was played since the engine's last turn.
    fn tell(&mut self, talk: &mut Talk<'_>, at: &dyn GameState) -> Result<(), Fault> {
        let history = at.history();
        let news = &history[self.n_known.min(history.len())..];
        if self.side.is_none() {
            say(talk, &ToEngine::New(at.to_move()));
            self.side = Some(at.to_move());
        } else if news.is_empty() {
            return Err(Fault::Illegal(
                "its turn ended with an edge that takes a box; the next edge belongs to it".into(),
            ));
        }
        if !news.is_empty() {
            let edges = news.iter().map(|mv| Edge::of_move(mv)).collect::<Option<Vec<_>>>();
            let edges = edges.ok_or_else(|| Fault::Nonsense("SAU has letters for 26 rows and columns".into()))?;
            say(talk, &ToEngine::Move(Turn(edges)));
        }
        Ok(())
    }
}

impl ClientProtocol for Client {
    fn greet(&mut self, talk: &mut Talk<'_>) -> Result<(), Fault> {
        say(talk, &ToEngine::Name);
        loop {
            let line = talk.hear("name")?;
            if speaks_another(&line, &[]) {
                return Err(unexpected(&line, "name"));
            }
            if matches!(FromEngine::parse(&line), Ok(Some(FromEngine::Name(_)))) {
                return Ok(());
            }
        }
    }

    fn begin(&mut self, talk: &mut Talk<'_>, _at: &dyn GameState, _seed: u64) -> Result<(), Fault> {
        if self.side.take().is_some() {
            say(talk, &ToEngine::End(None));
        }
        self.n_known = 0;
        self.rest.clear();
        Ok(())
    }

    fn choose(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, _limits: &Limits) -> Result<Answer, Fault> {
        if self.side.is_some_and(|side| side != at.to_move()) {
            return Err(Fault::Nonsense("SAU lets an engine play one side of a game only".into()));
        }
        let n_played = at.history().len();
        if n_played + self.rest.len() < self.n_known {
            return Err(Fault::Nonsense("SAU has no words for taking moves back".into()));
        }
        if let Some(mv) = self.rest.pop_front() {
            if n_played + self.rest.len() + 1 == self.n_known {
                return Ok(Answer::bare(mv));
            }
            return Err(Fault::Illegal("its turn went on after an edge that takes no box".into()));
        }
        self.tell(talk, at)?;
        let turn = loop {
            let line = talk.hear("move")?;
            match FromEngine::parse(&line) {
                Ok(Some(FromEngine::Move(turn))) => break turn,
                Ok(_) => {}
                Err(err) => return Err(Fault::Nonsense(err.to_string())),
            }
        };
        self.n_known = n_played + turn.0.len();
        self.rest = turn.0.iter().map(|edge| edge.as_move()).collect();
        let first = self.rest.pop_front().ok_or_else(|| Fault::Illegal("a turn without an edge".into()))?;
        Ok(Answer::bare(first))
    }

    fn game_over(&mut self, talk: &mut Talk<'_>, _result: Margin) {
        say(talk, &ToEngine::End(None));
        self.side = None;
    }

    fn farewell(&mut self, talk: &mut Talk<'_>) {
        say(talk, &ToEngine::Quit);
    }
}

fn say(talk: &mut Talk<'_>, command: &ToEngine) {
    talk.say(&command.to_string());
}
