//! CPU time for matches.

use banyan_core::Timer;
use cpu_time::ThreadTime;

/// CPU time of the calling thread, which other load on the machine does not affect. It counts only the computation of
/// the player's own thread: while a player waits for another process or for other threads, no time passes.
pub const THREAD_CPU: Timer = Timer::new("cpu", || ThreadTime::now().as_duration());
