//! CPU time, and wall time instead if the system does not measure it, as in a browser.

use banyan_core::Timer;

/// CPU time of the calling thread, which other load on the machine does not affect. It counts only the computation of
/// the player's own thread: while a player waits for another process or for other threads, no time passes.
pub const THREAD_CPU: Timer = Timer::new("cpu", read::of_thread);

/// CPU time of all threads of this process.
pub const PROCESS_CPU: Timer = Timer::new("process", read::of_process);

#[cfg(any(unix, windows))]
mod read {
    use std::time::Duration;

    use cpu_time::{ProcessTime, ThreadTime};

    pub(super) fn of_thread() -> Duration {
        ThreadTime::now().as_duration()
    }

    pub(super) fn of_process() -> Duration {
        ProcessTime::now().as_duration()
    }
}

#[cfg(not(any(unix, windows)))]
mod read {
    use std::time::Duration;

    use super::Timer;

    pub(super) fn of_thread() -> Duration {
        Timer::WALL.now()
    }

    pub(super) use of_thread as of_process;
}
