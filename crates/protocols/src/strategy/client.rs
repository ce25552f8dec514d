//! Asks a strategy library for moves, through a host of ours in a process of its own.

use banyan_catalog::{Answer, GameState};
use banyan_core::{Fault, Limits};

use super::board;
use crate::process::Talk;
use crate::protocol::{ClientProtocol, Options};
use crate::ugi;

/// Speaks to the host of one library. Every game has a new process, as on Saiblo: what a library keeps in its statics, or
/// leaks, ends with the game, and no game depends on which others were played before it.
#[derive(Debug)]
pub struct Client {
    host: ugi::Client,
    has_played: bool,
}

impl Client {
    /// A client; there is nothing to set.
    pub fn new(_options: &Options) -> Client {
        Client { host: ugi::Client::new(&[]), has_played: false }
    }
}

impl ClientProtocol for Client {
    fn greet(&mut self, talk: &mut Talk<'_>) -> Result<(), Fault> {
        self.host.greet(talk).map_err(in_its_words)
    }

    fn begin(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, seed: u64) -> Result<(), Fault> {
        board(at).map_err(|err| Fault::Nonsense(err.expected))?;
        if std::mem::replace(&mut self.has_played, true) {
            talk.process().restart()?;
            self.greet(talk)?;
        }
        self.host.begin(talk, at, seed)
    }

    /// A host refuses an answer only where it is no legal move.
    fn choose(&mut self, talk: &mut Talk<'_>, at: &dyn GameState, limits: &Limits) -> Result<Answer, Fault> {
        self.host.ask(talk, at, limits).map_err(in_its_words)?.map_err(Fault::Illegal)
    }

    fn farewell(&mut self, talk: &mut Talk<'_>) {
        self.host.farewell(talk);
    }
}

/// The host itself does not end while its library is at work.
fn in_its_words(fault: Fault) -> Fault {
    match fault {
        Fault::Crashed(how) if how.starts_with("ended with exit code") => {
            Fault::Crashed(format!("the library called exit: its host {how}"))
        }
        other => other,
    }
}
