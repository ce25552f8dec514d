//! SAU client: requests moves from an engine. The engine answers with whole turns, which are returned edge by edge.

use std::collections::VecDeque;

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits, Margin, Side};

use super::{Edge, FromEngine, ToEngine, Turn};
use crate::client::{ClientProtocol, Options, StartError};
use crate::process::{Exchange, is_other_protocol, unexpected};

/// SAU client for one engine. SAU cannot express limits.
#[derive(Debug, Default)]
pub struct Client {
    /// The side of the engine, after `new`.
    side: Option<Side>,
    /// Plies known to the engine, its own turn included.
    n_known: usize,
    /// The remaining edges of its last turn.
    rest: VecDeque<String>,
}

impl Client {
    /// A client; SAU has no options.
    pub fn new(_options: &Options) -> Client {
        Client::default()
    }

    /// Sends the moves since the engine's last turn.
    fn send_moves(&mut self, exchange: &mut Exchange<'_>, at: &GameState) -> Result<(), Fault> {
        let history = at.history();
        let news = &history[self.n_known.min(history.len())..];
        if self.side.is_none() {
            send(exchange, &ToEngine::New(at.to_move()));
            self.side = Some(at.to_move());
        } else if news.is_empty() {
            return Err(Fault::Illegal(
                "its turn ended with an edge that completes a box, so another edge is required".into(),
            ));
        }
        if !news.is_empty() {
            let edges = news.iter().map(|mv| Edge::of_move(mv)).collect::<Option<Vec<_>>>();
            let edges = edges.ok_or_else(|| Fault::Nonsense("SAU supports at most 26 rows and columns".into()))?;
            send(exchange, &ToEngine::Move(Turn(edges)));
        }
        Ok(())
    }
}

impl ClientProtocol for Client {
    fn greet(&mut self, exchange: &mut Exchange<'_>) -> Result<(), StartError> {
        send(exchange, &ToEngine::Name);
        loop {
            let line = exchange.receive("name")?;
            if is_other_protocol(&line, &[]) {
                return Err(unexpected(&line, "name").into());
            }
            if matches!(FromEngine::parse(&line), Ok(Some(FromEngine::Name(_)))) {
                return Ok(());
            }
        }
    }

    fn begin(&mut self, exchange: &mut Exchange<'_>, _at: &GameState, _seed: u64) -> Result<(), Fault> {
        if self.side.take().is_some() {
            send(exchange, &ToEngine::End(None));
        }
        self.n_known = 0;
        self.rest.clear();
        Ok(())
    }

    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &GameState, _limits: &Limits) -> Result<Answer, Fault> {
        if self.side.is_some_and(|side| side != at.to_move()) {
            return Err(Fault::Nonsense("SAU supports only one side per engine".into()));
        }
        let n_played = at.history().len();
        if n_played + self.rest.len() < self.n_known {
            return Err(Fault::Nonsense("SAU does not support taking moves back".into()));
        }
        if let Some(mv) = self.rest.pop_front() {
            if n_played + self.rest.len() + 1 == self.n_known {
                return Ok(Answer::bare(mv));
            }
            return Err(Fault::Illegal("its turn continued after an edge that completes no box".into()));
        }
        self.send_moves(exchange, at)?;
        let turn = loop {
            let line = exchange.receive("move")?;
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

    fn game_over(&mut self, exchange: &mut Exchange<'_>, _result: Margin) {
        send(exchange, &ToEngine::End(None));
        self.side = None;
    }

    fn quit(&mut self, exchange: &mut Exchange<'_>) {
        send(exchange, &ToEngine::Quit);
    }
}

fn send(exchange: &mut Exchange<'_>, command: &ToEngine) {
    exchange.send(&command.to_string());
}
