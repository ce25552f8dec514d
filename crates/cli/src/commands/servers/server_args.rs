//! Arguments and streams shared by the commands that serve a protocol on stdin and stdout.

use std::io::{BufReader, Stdin, Stdout, stdin, stdout};

use anyhow::Result;
use banyan_catalog::{Budget, PlayerSpec};
use banyan_protocols::{ServeError, Setup};
use clap::Args;

use crate::Exit;
use crate::input::level::LevelArg;

/// The player that chooses the moves, its budget and seed.
#[derive(Debug, Args)]
pub(crate) struct ServerArgs {
    /// Player that chooses the moves (see `banyan players`).
    #[arg(long, default_value = banyan_catalog::DEFAULT_PLAYER)]
    player: PlayerSpec,

    #[command(flatten)]
    level: LevelArg,

    /// Budget per move, unless the client sets one: 1s, playouts=10000, 15m/game; join several limits with +.
    #[arg(long, default_value = "1s")]
    budget: Budget,

    /// Random seed. The same seed and playout budget give the same moves.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,
}

impl ServerArgs {
    pub(crate) fn setup(&self) -> Result<Setup> {
        let level = self.level.name().map(str::parse::<PlayerSpec>).transpose()?;
        Ok(Setup::new(level.unwrap_or_else(|| self.player.clone()), self.budget, self.seed)?)
    }
}

/// Standard input, not locked, so that another thread can read it.
pub(crate) fn input() -> BufReader<Stdin> {
    BufReader::new(stdin())
}

/// Standard output, without colour handling.
pub(crate) fn output() -> Stdout {
    stdout()
}

/// The exit status of a server. A closed stream is a normal end.
pub(crate) fn exit_of(served: Result<(), ServeError>) -> Result<Exit> {
    match served {
        Ok(()) => Ok(Exit::Done),
        Err(ServeError::Io(err)) => Err(err.into()),
        Err(err) => Err(err.into()),
    }
}
