//! The receiver of the events of long work, and the conditions that end or interrupt it.

/// Receives the events of long work. Its methods are called every few milliseconds.
pub trait Sink<E> {
    /// Whether it accepts an event now; otherwise none is made.
    fn is_due(&self) -> bool;

    /// Receives an event.
    fn send(&self, event: E);

    /// `true` ends the work within 50 ms, with what it has found.
    fn is_stopped(&self) -> bool;

    /// `true` interrupts the work, if it can be continued: see [`Step::Paused`].
    fn is_paused(&self) -> bool {
        false
    }

    /// Whether a pause ends a proof, which cannot be continued.
    fn ends_proofs(&self) -> bool {
        self.is_paused()
    }
}

/// The end of a part of long work.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<T> {
    /// Its [`Sink`] has paused it; another call continues it.
    Paused,
    /// The result.
    Done(T),
}
