//! CPU time as a match counts it.

use banyan_core::Timer;
use cpu_time::ThreadTime;

/// CPU time of the thread that asks, so that busy machines take nothing from anybody's time. It counts what the player's
/// own thread computes: a player that waits, for another process or for threads of its own, seems to spend nothing.
pub const THREAD_CPU: Timer = Timer::new("cpu", || ThreadTime::now().as_duration());
