//! What the servers share: the game that they play, their configuration and errors, and their input.

mod hosted_game;
mod inbox;
mod lines;
mod setup;

pub(crate) use hosted_game::{HostedGame, best_of, duration_from_seconds, require, size_of};
pub(crate) use inbox::Inbox;
pub(crate) use lines::{Line, Lines};
pub use setup::{ServeError, Setup};
