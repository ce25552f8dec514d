//! Botzone client: requests moves from an engine.

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits, Side, TextError};

use super::{Input, KEEP_RUNNING, Place, Response};
use crate::client::{ClientProtocol, Options, StartError, own_options};
use crate::process::{Exchange, unexpected};

/// Botzone client for one engine, which is restarted for every move unless the option `keep-running` is `true`. The
/// protocol cannot express limits.
#[derive(Debug)]
pub struct Client {
    keeps_running: bool,
    /// Whether the process has received a request.
    is_used: bool,
    /// The side it plays and the plies it has received, while it keeps running.
    known: Option<(Side, usize)>,
}

impl Client {
    /// Accepts the option `keep-running`, the only one of the protocol.
    pub(crate) fn check_options(options: &Options) -> Result<(), TextError> {
        own_options(options, &["keep-running"], |value| {
            (!["true", "false"].contains(&value)).then_some("expected true or false")
        })
    }

    /// A client with the option `keep-running`.
    pub fn new(options: &Options) -> Client {
        let keeps_running = options.iter().any(|(name, value)| name == "keep-running" && value == "true");
        Client { keeps_running, is_used: false, known: None }
    }

    /// The next message for the engine.
    fn input(&mut self, exchange: &mut Exchange<'_>, at: &GameState) -> Result<Input, Fault> {
        let places = at.history().iter().map(|mv| Place::of_move(mv)).collect::<Option<Vec<_>>>();
        let places = places.ok_or_else(|| Fault::Nonsense("Botzone supports only 8x8".into()))?;
        if self.known == Some((at.to_move(), places.len().wrapping_sub(1))) {
            return Ok(Input::Request(*places.last().expect("there is a new move")));
        }
        if std::mem::replace(&mut self.is_used, true) {
            exchange.process().restart()?;
        }
        let own = at.to_move().index();
        let begins = (own == 0).then_some(Place::NONE);
        let of = |parity| places.iter().copied().skip(parity).step_by(2);
        Ok(Input::History { requests: begins.into_iter().chain(of(1 - own)).collect(), responses: of(own).collect() })
    }
}

impl ClientProtocol for Client {
    /// Engines send nothing before their first move.
    fn greet(&mut self, _talk: &mut Exchange<'_>) -> Result<(), StartError> {
        Ok(())
    }

    fn begin(&mut self, _talk: &mut Exchange<'_>, at: &GameState, _seed: u64) -> Result<(), Fault> {
        if !["reversi", "reversi:8x8,count=discs"].contains(&at.spec().as_str()) {
            return Err(Fault::Nonsense("Botzone supports only 8x8".into()));
        }
        self.known = None;
        Ok(())
    }

    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &GameState, _limits: &Limits) -> Result<Answer, Fault> {
        let input = self.input(exchange, at)?;
        exchange.send(&input.to_line());
        let line = loop {
            let line = exchange.receive("response")?;
            if !line.trim().is_empty() {
                break line;
            }
        };
        let place = Response::parse(&line).map_err(|_| unexpected(&line, "a response"))?;
        if self.keeps_running {
            loop {
                let line = exchange.receive(KEEP_RUNNING)?;
                match line.trim() {
                    "" => {}
                    KEEP_RUNNING => break,
                    _ => return Err(unexpected(&line, KEEP_RUNNING)),
                }
            }
            self.known = Some((at.to_move(), at.history().len() + 1));
        }
        let mv = place.as_move().map_err(|err| Fault::Illegal(err.to_string()))?;
        Ok(Answer::bare(mv))
    }
}
