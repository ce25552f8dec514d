//! What the commands that speak a protocol have in common: who answers, at what cost, over standard input and output.

use std::io::{BufReader, Stdin, Stdout, stdin, stdout};

use anyhow::Result;
use banyan_catalog::{Budget, PlayerSpec};
use banyan_protocols::{ServeError, Setup};
use clap::Args;

use crate::Exit;

/// Who answers, and what it may spend.
#[derive(Debug, Args)]
pub(crate) struct Speaker {
    /// Who answers (see `banyan players`).
    #[arg(long, default_value = banyan_catalog::DEFAULT_PLAYER)]
    player: PlayerSpec,

    /// What a move may cost, unless the other side says: 1s, playouts=10000, 15m/game, or several joined by +.
    #[arg(long, default_value = "1s")]
    budget: Budget,

    /// Seed of all randomness: the same seed and budget of playouts give the same answers.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,
}

impl Speaker {
    pub(crate) fn setup(&self) -> Result<Setup> {
        Ok(Setup::new(self.player.clone(), self.budget, self.seed)?)
    }
}

/// What the other side says. Not locked, so that another thread may read it.
pub(crate) fn heard() -> BufReader<Stdin> {
    BufReader::new(stdin())
}

/// What is said to the other side: bytes as they are, colours or not.
pub(crate) fn said() -> Stdout {
    stdout()
}

/// How a conversation ended. Nobody listening any more is an ordinary end.
pub(crate) fn ended(conversation: Result<(), ServeError>) -> Result<Exit> {
    match conversation {
        Ok(()) => Ok(Exit::Done),
        Err(ServeError::Io(err)) => Err(err.into()),
        Err(err) => Err(err.into()),
    }
}
