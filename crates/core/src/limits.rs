//! Limits on the choice of one move, and the timer that they are measured with.

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use crate::clock::Instant;

/// A source of time: wall time, a thread's CPU time, or the fake time of a test.
#[derive(Clone, Copy)]
pub struct Timer {
    name: &'static str,
    now: fn() -> Duration,
}

impl Timer {
    /// Wall time.
    pub const WALL: Timer = Timer::new("wall", wall_time);

    /// A timer that reads `now`: time since some fixed moment, never decreasing. It may depend on the calling thread.
    pub const fn new(name: &'static str, now: fn() -> Duration) -> Timer {
        Timer { name, now }
    }

    /// The name, by which timers are compared.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Time since an unspecified moment; only differences within one thread are meaningful.
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

/// Wall time since the first call.
fn wall_time() -> Duration {
    static FIRST_CALL: OnceLock<Instant> = OnceLock::new();
    FIRST_CALL.get_or_init(Instant::now).elapsed()
}

impl Default for Timer {
    fn default() -> Timer {
        Timer::WALL
    }
}

/// By name, since function addresses are not unique.
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

/// The game clock before a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left to the side to move, for all its moves.
    pub own: Duration,
    /// Time left to the other side.
    pub other: Duration,
    /// Time added after every move.
    pub increment: Duration,
}

/// Limits on the choice of one move; the first one reached ends it. Without a limit only a
/// [`SearchObserver`](crate::SearchObserver) ends it.
///
/// ```
/// use std::time::Duration;
///
/// use banyan_core::{Clock, Limits};
///
/// let second = Duration::from_secs(1);
/// // 10,000 playouts, but no more than a second.
/// let limits = Limits { time: Some(second), ..Limits::playouts(10_000) };
/// assert_eq!(limits.time, Limits::time(second).time);
///
/// // A game clock: a minute left for each side, one second for each move in addition.
/// let clock = Clock { own: 60 * second, other: 60 * second, increment: second };
/// let on_clock = Limits { clock: Some(clock), ..Limits::default() };
/// assert_eq!(on_clock.playouts, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time for this move.
    pub time: Option<Duration>,
    /// The clock of the whole game.
    pub clock: Option<Clock>,
    /// Playouts (evaluated leaves).
    pub playouts: Option<u64>,
    /// Positions visited; for a Monte Carlo search, new nodes.
    pub nodes: Option<u64>,
    /// Search depth in plies, for iterative deepening.
    pub depth: Option<u32>,
    /// Number of moves, the best ones, that alpha-beta searches for an exact value instead of an upper bound;
    /// [`ALL_LINES`](Limits::ALL_LINES) for all, `None` for the setting of the player. Other players ignore it.
    pub lines: Option<u32>,
    /// The timer that `time` and `clock` are measured with.
    pub timer: Timer,
    /// Time by which a late answer still counts. Time management ignores it; it bounds the wait for an external engine.
    pub leeway: Duration,
}

impl Limits {
    /// The number of [`lines`](Limits::lines) that stands for all legal moves.
    pub const ALL_LINES: u32 = u32::MAX;

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
    fn timers_are_compared_by_name() {
        let stopped = Timer::new("stopped", || Duration::ZERO);
        assert_ne!(stopped, Timer::default());
        assert_eq!(Timer::default(), Timer::WALL);
        assert_eq!((stopped.since(Duration::from_secs(1)), stopped.name()), (Duration::ZERO, "stopped"));
    }
}
