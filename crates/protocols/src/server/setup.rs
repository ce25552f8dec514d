//! The configuration and the errors of all servers.

use std::{fmt, io};

use banyan_catalog::{Budget, PlayerSpec};
use banyan_core::{Fault, TextError};

/// The player of a server, its budget per move, and its random seed.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    pub(crate) player: PlayerSpec,
    pub(crate) budget: Budget,
    pub(crate) seed: u64,
}

impl Setup {
    /// A player with its budget.
    ///
    /// # Errors
    /// The budget does not end the player's search, or has a limit that the player does not support.
    pub fn new(player: PlayerSpec, budget: Budget, seed: u64) -> Result<Setup, TextError> {
        player.check(&budget)?;
        player.refuse_unused(&budget)?;
        Ok(Setup { player, budget, seed })
    }
}

/// The reason why a server stopped before the end of input.
#[derive(Debug)]
pub enum ServeError {
    /// A stream failed.
    Io(io::Error),
    /// The protocol does not support the game, or a request cannot be answered.
    Text(TextError),
    /// The player returned no move.
    Fault(Fault),
}

impl fmt::Display for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ServeError::Io(err) => write!(f, "lost the connection to the client: {err}"),
            ServeError::Text(err) => err.fmt(f),
            ServeError::Fault(fault) => write!(f, "no move: the player {fault}"),
        }
    }
}

impl std::error::Error for ServeError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ServeError::Io(err) => Some(err),
            ServeError::Text(_) | ServeError::Fault(_) => None,
        }
    }
}

impl From<io::Error> for ServeError {
    fn from(err: io::Error) -> ServeError {
        ServeError::Io(err)
    }
}

impl From<TextError> for ServeError {
    fn from(err: TextError) -> ServeError {
        ServeError::Text(err)
    }
}

impl From<Fault> for ServeError {
    fn from(fault: Fault) -> ServeError {
        ServeError::Fault(fault)
    }
}
