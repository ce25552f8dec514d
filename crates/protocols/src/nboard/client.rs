//! NBoard client: requests moves from an engine.

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits, TextError};

use super::server::DISCS_OF_A_WIN;
use super::{FromEngine, Ggf, Played, ToEngine};
use crate::client::{ClientProtocol, Options, StartError, own_options};
use crate::process::{Exchange, Received, is_other_protocol, unexpected};

/// Default of the option `depth`.
const USUAL_DEPTH: u32 = 12;

/// NBoard client for one engine.
#[derive(Debug)]
pub struct Client {
    /// Search depth if the limits have none; the protocol has no other settings.
    depth: u32,
    pings: i64,
}

impl Client {
    /// Accepts the option `depth`, the only one of the protocol.
    pub(crate) fn check_options(options: &Options) -> Result<(), TextError> {
        own_options(options, &["depth"], |value| {
            let is_depth = value.parse().is_ok_and(|depth: u32| depth >= 1);
            (!is_depth).then_some("expected a whole number of at least 1")
        })
    }

    /// A client with the option `depth`.
    pub fn new(options: &Options) -> Client {
        let depth = options.iter().find(|(name, _)| name == "depth").and_then(|(_, value)| value.parse().ok());
        Client { depth: depth.unwrap_or(USUAL_DEPTH), pings: 0 }
    }

    /// Waits until the engine has processed all commands.
    fn catch_up(&mut self, exchange: &mut Exchange<'_>) -> Result<(), Fault> {
        self.pings += 1;
        send(exchange, &ToEngine::Ping(self.pings));
        loop {
            let line = exchange.receive("pong")?;
            if is_other_protocol(&line, &[]) {
                return Err(unexpected(&line, "pong"));
            }
            if FromEngine::parse(&line) == Some(FromEngine::Pong(self.pings)) {
                return Ok(());
            }
        }
    }
}

impl ClientProtocol for Client {
    fn greet(&mut self, exchange: &mut Exchange<'_>) -> Result<(), StartError> {
        send(exchange, &ToEngine::NBoard(2));
        send(exchange, &ToEngine::Depth(self.depth));
        Ok(self.catch_up(exchange)?)
    }

    fn begin(&mut self, exchange: &mut Exchange<'_>, at: &GameState, _seed: u64) -> Result<(), Fault> {
        send(exchange, &ToEngine::Game(game(at, None)?.to_string()));
        self.catch_up(exchange)
    }

    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &GameState, limits: &Limits) -> Result<Answer, Fault> {
        // An engine subtracts the times of the moves from that of the game, so the remaining time is sent without them.
        send(exchange, &ToEngine::Game(game(at, Some(limits))?.to_string()));
        send(exchange, &ToEngine::Depth(limits.depth.unwrap_or(self.depth)));
        self.catch_up(exchange)?;
        send(exchange, &ToEngine::Go);
        let (mut nodes, mut pv, mut is_stopped) = (0, Vec::new(), false);
        loop {
            let line = match exchange.receive_or_stop("===")? {
                Received::Stopped => {
                    is_stopped = true;
                    self.pings += 1;
                    send(exchange, &ToEngine::Ping(self.pings));
                    continue;
                }
                Received::Message(line) => line,
            };
            match FromEngine::parse(&line) {
                Some(FromEngine::Choice(Played { mv, eval, .. })) => {
                    let value = eval.map(|discs| discs / DISCS_OF_A_WIN);
                    return Ok(Answer { best: mv, value, playouts: 0, nodes, pv, time: None });
                }
                // An engine may also end its search on a ping without sending a move.
                Some(FromEngine::Pong(number)) if is_stopped && number == self.pings => {
                    return Err(Fault::Late("stopped on request without sending a move".into()));
                }
                Some(FromEngine::NodeStats { nodes: so_far, .. }) => nodes = so_far,
                Some(FromEngine::Search { pv: line, .. }) => pv = line,
                Some(_) => {}
                None if line.starts_with("===") => return Err(unexpected(&line, "=== and a move")),
                None => {}
            }
        }
    }

    fn quit(&mut self, exchange: &mut Exchange<'_>) {
        send(exchange, &ToEngine::Quit);
    }
}

fn send(exchange: &mut Exchange<'_>, command: &ToEngine) {
    exchange.send(&command.to_string());
}

/// The game in GGF, with the remaining time.
fn game(at: &GameState, limits: Option<&Limits>) -> Result<Ggf, Fault> {
    let wrong = |why: String| Fault::Nonsense(format!("NBoard cannot express it: {why}"));
    let game = Ggf::of(at).ok_or_else(|| wrong(at.spec()))?;
    let clock = limits.and_then(|limits| limits.clock);
    Ok(Ggf { seconds: clock.map(|clock| clock.own.as_secs_f64()), ..game })
}
