//! The receiver of the events of a job, which also ends or pauses it.

use std::cell::Cell;
use std::time::Duration;

use banyan_api::Sink;
use banyan_core::Flow;
use banyan_core::clock::Instant;
use serde::Serialize;

/// Time between two intermediate results.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);

/// Receives the name of an event and its JSON; `Stop` ends the job.
pub type Listener<'a> = &'a dyn Fn(&str, &str) -> Flow;

/// An answer or an event as JSON.
pub(crate) fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("answers have texts as keys")
}

/// One slice of a job: sends its intermediate results, and pauses it at its end.
pub(crate) struct SliceSink<'a> {
    pub(crate) send: Listener<'a>,
    pub(crate) stopped: &'a Cell<bool>,
    /// When the last intermediate result was sent.
    pub(crate) sent_at: &'a Cell<Instant>,
    /// The end of the slice; `None` if the job cannot be paused.
    pub(crate) end: Option<Instant>,
}

impl<E: Serialize> Sink<E> for SliceSink<'_> {
    fn is_due(&self) -> bool {
        self.sent_at.get().elapsed() >= PROGRESS_EVERY
    }

    fn send(&self, event: E) {
        self.sent_at.set(Instant::now());
        if (self.send)("progress", &json(&event)) == Flow::Stop {
            self.stopped.set(true);
        }
    }

    fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    fn is_paused(&self) -> bool {
        self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// The proof after a search has a part of its time, longer than a slice; only the end of its worker stops it sooner.
    fn ends_proofs(&self) -> bool {
        false
    }
}
