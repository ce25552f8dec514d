//! Busy waiting, for studies of parallel search.

use banyan_core::clock::Instant;

/// Keeps the core busy, as a playout would; a sleep would overrun.
#[cold]
pub(crate) fn wait_until(end: Instant) {
    while Instant::now() < end {
        std::hint::spin_loop();
    }
}
