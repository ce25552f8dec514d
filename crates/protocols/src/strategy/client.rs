//! Strategy client: requests moves from a strategy library through a host process.

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits};

use super::board;
use crate::client::{ClientProtocol, Options, StartError};
use crate::process::Exchange;
use crate::ugi;

/// Client for the host process of one library. Every game has a new process, as on Saiblo, so static data and memory leaks
/// of a library do not outlive a game, and games do not depend on each other.
#[derive(Debug)]
pub struct Client {
    host: ugi::Client,
    has_played: bool,
}

impl Client {
    /// A client; libraries have no options.
    pub fn new(_options: &Options) -> Client {
        Client { host: ugi::Client::new(&[]), has_played: false }
    }
}

impl ClientProtocol for Client {
    fn greet(&mut self, exchange: &mut Exchange<'_>) -> Result<(), StartError> {
        self.host.greet(exchange).map_err(|err| match err {
            StartError::Fault(fault) => in_its_words(fault).into(),
            other => other,
        })
    }

    fn begin(&mut self, exchange: &mut Exchange<'_>, at: &GameState, seed: u64) -> Result<(), Fault> {
        board(at).map_err(|err| Fault::Nonsense(err.expected))?;
        if std::mem::replace(&mut self.has_played, true) {
            exchange.process().restart()?;
            self.greet(exchange).map_err(StartError::into_fault)?;
        }
        self.host.begin(exchange, at, seed)
    }

    /// The host rejects an answer only if it is not a legal move.
    fn choose(&mut self, exchange: &mut Exchange<'_>, at: &GameState, limits: &Limits) -> Result<Answer, Fault> {
        self.host.request_move(exchange, at, limits).map_err(in_its_words)?.map_err(Fault::Illegal)
    }

    fn quit(&mut self, exchange: &mut Exchange<'_>) {
        self.host.quit(exchange);
    }
}

/// The host itself does not exit while the library runs.
fn in_its_words(fault: Fault) -> Fault {
    match fault {
        Fault::Crashed(how) if how.starts_with("exited with code") => {
            Fault::Crashed(format!("the library called exit: the host {how}"))
        }
        other => other,
    }
}
