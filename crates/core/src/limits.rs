//! How much a player may spend on one move, and by which clock its time is counted.

use std::fmt;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What time is counted in: wall time, a thread's CPU time, or the fake time of a test.
#[derive(Clone, Copy)]
pub struct Timer {
    name: &'static str,
    now: fn() -> Duration,
}

impl Timer {
    /// Time as it passes for everybody, whatever else the machine does.
    pub const WALL: Timer = Timer::new("wall", wall_time);

    /// A timer that reads `now`: time since some fixed moment, never decreasing. It may depend on the thread that asks.
    pub const fn new(name: &'static str, now: fn() -> Duration) -> Timer {
        Timer { name, now }
    }

    /// What tells this timer from others.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Time since a moment of the timer's own; only differences within one thread mean anything.
    #[inline]
    pub fn now(self) -> Duration {
        (self.now)()
    }

    /// Time since `earlier`, a reading of this timer on this thread.
    #[inline]
    pub fn since(self, earlier: Duration) -> Duration {
        self.now().saturating_sub(earlier)
    }
}

/// Wall time since it was first asked for.
fn wall_time() -> Duration {
    static FIRST_ASKED: OnceLock<Instant> = OnceLock::new();
    FIRST_ASKED.get_or_init(Instant::now).elapsed()
}

impl Default for Timer {
    fn default() -> Timer {
        Timer::WALL
    }
}

/// By name: comparing functions by address means nothing.
impl PartialEq for Timer {
    fn eq(&self, other: &Timer) -> bool {
        self.name == other.name
    }
}

impl Eq for Timer {}

impl fmt::Debug for Timer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timer({})", self.name)
    }
}

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

/// What ends the choice of one move: whichever comes first. Without any limit only a [`SearchObserver`](crate::SearchObserver) ends it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time for this move.
    pub time: Option<Duration>,
    /// A clock for the whole game.
    pub clock: Option<Clock>,
    /// Playouts, or evaluated leaves.
    pub playouts: Option<u64>,
    /// Positions visited; for a tree search, new nodes made.
    pub nodes: Option<u64>,
    /// Plies of lookahead, for searches that deepen.
    pub depth: Option<u32>,
    /// What `time` and `clock` are counted in.
    pub timer: Timer,
    /// By so much an answer may be late and still count. Nobody plans with it; it tells how long to wait for an answer.
    pub leeway: Duration,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_time_never_goes_back() {
        let readings: Vec<Duration> = (0..1000).map(|_| Timer::WALL.now()).collect();
        assert!(readings.is_sorted() && readings[0] < readings[999], "{readings:?}");
    }

    #[test]
    fn timers_are_told_apart_by_name() {
        let stopped = Timer::new("stopped", || Duration::ZERO);
        assert_ne!(stopped, Timer::default());
        assert_eq!(Timer::default(), Timer::WALL);
        assert_eq!((stopped.since(Duration::from_secs(1)), stopped.name()), (Duration::ZERO, "stopped"));
    }
}
