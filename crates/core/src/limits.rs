//! How much a player may spend on one move.

use std::time::Duration;

/// A game clock as it stands before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left to the side to move, for all its moves.
    pub own: Duration,
    /// Time left to the other side.
    pub other: Duration,
    /// Time added after every move.
    pub increment: Duration,
}

/// What ends the choice of one move: whichever comes first. Without any limit only a [`Watch`](crate::Watch) ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Wall-clock time for this move.
    pub time: Option<Duration>,
    /// A clock for the whole game.
    pub clock: Option<Clock>,
    /// Playouts, or evaluated leaves.
    pub playouts: Option<u64>,
    /// Positions visited; for a tree search, new nodes made.
    pub nodes: Option<u64>,
    /// Plies of lookahead, for searches that deepen.
    pub depth: Option<u32>,
}

impl Limits {
    /// Only a limit on playouts.
    pub fn playouts(n: u64) -> Limits {
        Limits { playouts: Some(n), ..Limits::default() }
    }

    /// Only a limit on the time of this move.
    pub fn time(time: Duration) -> Limits {
        Limits { time: Some(time), ..Limits::default() }
    }
}
