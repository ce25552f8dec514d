//! Notices when the whole program stood still: stopped by a signal, or on a machine that slept.

use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use banyan_core::clock::SystemTime;
use banyan_core::threads;

/// Interval between two beats.
const BEAT: Duration = Duration::from_millis(20);
/// A longer time without any beat means that the program stood still. Among busy processes a thread that sleeps between its beats gets
/// its turn within some 10 ms, measured with eight of them on two cores.
const STANDSTILL: Duration = Duration::from_secs(1);
/// A shorter time without any beat makes it doubtful that an answer was late: the default margin of lateness.
const DELAY: Duration = Duration::from_millis(100);

/// Beats on a separate thread. A program that stands still misses beats, by a clock that runs on meanwhile.
pub struct Heartbeat {
    pulse: Arc<Pulse>,
    /// Ends the thread when it is dropped; `None` if only calls beat.
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

struct Pulse {
    now: fn() -> Duration,
    state: Mutex<State>,
}

/// Time of the last beat, and numbers of long and longer gaps between beats.
#[derive(Clone, Copy, Default)]
struct State {
    last: Duration,
    standstills: u64,
    delays: u64,
}

impl Heartbeat {
    /// Starts to beat; `None` if the system refuses a thread.
    pub fn start() -> Option<Heartbeat> {
        let mut heartbeat = Heartbeat::by_hand(since_1970);
        let pulse = Arc::clone(&heartbeat.pulse);
        let (end, ended) = channel::<()>();
        let beat = move || {
            while ended.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                pulse.beat();
            }
        };
        heartbeat.thread = Some((end, threads::spawn(beat).ok()?));
        Some(heartbeat)
    }

    /// Beats only when it is called, by the clock `now`.
    pub fn by_hand(now: fn() -> Duration) -> Heartbeat {
        Heartbeat {
            pulse: Arc::new(Pulse { now, state: Mutex::new(State { last: now(), ..State::default() }) }),
            thread: None,
        }
    }

    /// Beats, and returns how often the program has stood still since the start.
    pub fn standstills(&self) -> u64 {
        self.pulse.beat().standstills
    }

    /// Beats, and returns how often the program has stood still for a tenth of a second or longer since the start.
    pub fn delays(&self) -> u64 {
        self.pulse.beat().delays
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.thread.take() {
            drop(end);
            // A panic there cannot be.
            let _ = thread.join();
        }
    }
}

impl Pulse {
    fn beat(&self) -> State {
        // Locked while it counts: a caller after a standstill sees it counted.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (self.now)();
        let gap = now.saturating_sub(state.last);
        state.last = now;
        state.standstills += u64::from(gap > STANDSTILL);
        state.delays += u64::from(gap > DELAY);
        *state
    }
}

/// Unlike the clock of `Instant`, it runs on while the machine sleeps. Setting it forward looks like a standstill, which does no harm.
fn since_1970() -> Duration {
    SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
}
