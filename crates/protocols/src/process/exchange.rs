//! One exchange with an engine process: a request, its answer, and a timeout.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use banyan_catalog::{Stopped, quoted};
use banyan_core::Fault;

use super::{LONGEST_MESSAGE, Piece, Process};

/// Maximum output in bytes before the expected answer.
const FLOOD: usize = 16 << 20;
/// Interval between two checks whether the answer is still needed.
const POLL: Duration = Duration::from_millis(10);
/// How long an engine may take to answer after a stop.
pub(crate) const STOP_GRACE: Duration = Duration::from_secs(1);
/// What was received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A message.
    Message(String),
    /// The answer is no longer needed; reported once. The engine still has a second to answer.
    Stopped,
}

/// One exchange: a request, and all messages until its answer or the deadline.
pub struct Exchange<'a> {
    process: &'a mut Process,
    until: Instant,
    timeout: Duration,
    /// When to check next whether the answer is still needed.
    next_poll: Instant,
    /// `None` after it returned true.
    stopped: Option<Stopped<'a>>,
    /// The stop was not reported yet.
    stop_pending: bool,
    received_bytes: usize,
}

impl<'a> Exchange<'a> {
    /// An exchange that may take `timeout`, unless it is `stopped`.
    pub fn new(process: &'a mut Process, timeout: Duration, stopped: Stopped<'a>) -> Exchange<'a> {
        let now = Instant::now();
        Exchange {
            process,
            until: now + timeout,
            timeout,
            next_poll: now + POLL,
            stopped: Some(stopped),
            stop_pending: false,
            received_bytes: 0,
        }
    }

    /// The engine process.
    pub fn process(&mut self) -> &mut Process {
        self.process
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.process.send(format!("{line}\n").into_bytes());
    }

    /// Waits for the next message, even after a stop; `what` names the expected answer.
    ///
    /// # Errors
    /// No message: the engine exited, was late or exceeded the output limit.
    pub fn receive(&mut self, what: &str) -> Result<String, Fault> {
        loop {
            if let Some(message) = self.wait(what)? {
                return Ok(message);
            }
        }
    }

    /// Waits for the next message, or for a stop.
    ///
    /// # Errors
    /// As in [`receive`](Exchange::receive).
    pub fn receive_or_stop(&mut self, what: &str) -> Result<Received, Fault> {
        loop {
            if std::mem::take(&mut self.stop_pending) {
                return Ok(Received::Stopped);
            }
            if let Some(message) = self.wait(what)? {
                return Ok(Received::Message(message));
            }
        }
    }

    /// The next message, or `None` after a stop.
    fn wait(&mut self, what: &str) -> Result<Option<String>, Fault> {
        loop {
            // Check the clock first, so that an engine that writes continuously cannot delay it.
            let now = Instant::now();
            if now >= self.until {
                return Err(Fault::Late(format!(
                    "no {what} within {:.1?}{}",
                    self.timeout,
                    self.process.stderr_note()
                )));
            }
            if now >= self.next_poll && self.is_stopped(now) {
                return Ok(None);
            }
            match self.process.from.recv_timeout((self.until - now).min(POLL)) {
                Ok(piece) => return self.take(piece, what).map(Some),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crashed(self.process.exit_reason())),
                // A child may keep the output open after the engine exits; this kills it once all output is read.
                Err(RecvTimeoutError::Timeout) => drop(self.process.has_ended()),
            }
        }
    }

    /// Polls for a stop; after the first one never again.
    fn is_stopped(&mut self, now: Instant) -> bool {
        self.next_poll = now + POLL;
        let is_stopped = self.stopped.as_mut().is_some_and(|stopped| stopped());
        if is_stopped {
            self.stopped = None;
            self.stop_pending = true;
            self.until = self.until.min(now + STOP_GRACE);
            self.timeout = self.timeout.min(STOP_GRACE);
        }
        is_stopped
    }

    fn take(&mut self, piece: Piece, what: &str) -> Result<String, Fault> {
        match piece {
            Piece::Message(message) => {
                self.received_bytes += message.len() + 1;
                if self.received_bytes > FLOOD {
                    let mib = FLOOD >> 20;
                    return Err(Fault::Nonsense(format!("wrote more than {mib} MiB without {what}")));
                }
                Ok(message)
            }
            Piece::TooLong => {
                let mib = LONGEST_MESSAGE >> 20;
                Err(Fault::Nonsense(format!("sent a message of more than {mib} MiB, expected {what}")))
            }
            Piece::CutOff(text) => {
                let how = self.process.exit_reason();
                Err(Fault::Crashed(format!("{how}, in the middle of the line {}", quoted(&text))))
            }
            Piece::End => Err(Fault::Crashed(self.process.exit_reason())),
        }
    }
}

/// First words of answers in another protocol, and of error messages.
const FIRST_WORDS: [&str; 9] = ["ugiok", "uciok", "uaiok", "=", "?", "Error", "error", "Unknown", "unknown"];

/// Whether a line belongs to another protocol than the one with the first words `own`.
pub fn is_other_protocol(line: &str, own: &[&str]) -> bool {
    let first = line.split_whitespace().next();
    first.is_some_and(|word| FIRST_WORDS.contains(&word) && !own.contains(&word))
}

/// The fault of a message received in place of the expected one.
pub fn unexpected(message: &str, what: &str) -> Fault {
    Fault::Nonsense(format!("sent {}, expected {what}", quoted(message)))
}
