//! One exchange with an engine process: a request, its answer, and a timeout.

use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use banyan_catalog::{Stopped, quoted};
use banyan_core::Fault;

use super::{Arrived, LONGEST_MESSAGE, Piece, Process, WrittenAt};

/// Maximum output in bytes before the expected answer.
const FLOOD: usize = 16 << 20;
/// Interval between two checks whether the answer is still needed.
const POLL: Duration = Duration::from_millis(10);
/// Time limit for an engine to answer after a stop.
pub(crate) const STOP_GRACE: Duration = Duration::from_secs(1);
/// A message, or a stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A message.
    Message(String),
    /// The answer is no longer needed; reported once. The engine still has a second to answer.
    Stopped,
}

/// A request that was sent, and the time of its answer. Its time runs from the moment at which it was written to the
/// engine to the arrival of the answer, regardless of when this program's threads process it.
struct Request {
    queued: Instant,
    written: WrittenAt,
    answered: Option<Instant>,
}

impl Request {
    fn begun(&self) -> Instant {
        // An engine that does not read its input may be late too.
        self.written.get().copied().unwrap_or(self.queued)
    }

    fn taken(&self) -> Option<Duration> {
        self.answered.map(|answered| answered.saturating_duration_since(self.begun()))
    }
}

/// One exchange: requests, and all messages until the last answer or the deadline.
pub struct Exchange<'a> {
    process: &'a mut Process,
    begun: Instant,
    timeout: Duration,
    /// The time of the requests that were answered.
    spent: Duration,
    /// The last request; further lines that are sent before its answer belong to it.
    request: Option<Request>,
    /// The next time to check whether the answer is still needed.
    next_poll: Instant,
    /// `None` after it returned true.
    stopped: Option<Stopped<'a>>,
    /// The time at which it returned true.
    stopped_at: Option<Instant>,
    /// Whether the stop has not been reported yet.
    stop_pending: bool,
    received_bytes: usize,
}

impl<'a> Exchange<'a> {
    /// An exchange for which the engine may take `timeout`, unless it is `stopped`.
    pub fn new(process: &'a mut Process, timeout: Duration, stopped: Stopped<'a>) -> Exchange<'a> {
        let begun = Instant::now();
        Exchange {
            process,
            begun,
            timeout,
            spent: Duration::ZERO,
            request: None,
            next_poll: begun + POLL,
            stopped: Some(stopped),
            stopped_at: None,
            stop_pending: false,
            received_bytes: 0,
        }
    }

    /// The time that the engine has taken to answer.
    pub fn elapsed(&self) -> Duration {
        self.spent + self.request.as_ref().and_then(Request::taken).unwrap_or_default()
    }

    /// The deadline.
    fn until(&self) -> Instant {
        let begun = self.request.as_ref().map_or(self.begun, Request::begun);
        let until = begun + self.timeout.saturating_sub(self.spent);
        self.stopped_at.map_or(until, |stopped| until.min(stopped + STOP_GRACE))
    }

    /// The engine process.
    pub fn process(&mut self) -> &mut Process {
        self.process
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        let queued = Instant::now();
        let written = self.process.send(format!("{line}\n").into_bytes());
        if self.request.as_ref().is_none_or(|request| request.answered.is_some()) {
            self.spent = self.elapsed();
            self.request = Some(Request { queued, written, answered: None });
        }
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
            let now = Instant::now();
            let until = self.until();
            // A message that arrived in time counts, no matter when this thread reads it. Later messages do not, so
            // that an engine that writes continuously cannot delay the deadline.
            if now >= until {
                match self.process.from.try_recv() {
                    Ok(arrived) if arrived.at < until => return self.take(arrived, what).map(Some),
                    Err(TryRecvError::Disconnected) => return Err(Fault::Crashed(self.process.exit_reason())),
                    Ok(_) | Err(TryRecvError::Empty) => return Err(self.late(what)),
                }
            }
            if now >= self.next_poll && self.is_stopped(now) {
                return Ok(None);
            }
            match self.process.from.recv_timeout((until - now).min(POLL)) {
                Ok(arrived) => return self.take(arrived, what).map(Some),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crashed(self.process.exit_reason())),
                // A child may keep the output open after the engine exits; this kills it once all output is read.
                Err(RecvTimeoutError::Timeout) => drop(self.process.has_ended()),
            }
        }
    }

    fn late(&self, what: &str) -> Fault {
        let is_unread = self.request.as_ref().is_some_and(|request| request.written.get().is_none());
        let why = if is_unread { ", as it does not read its input" } else { "" };
        let timeout = self.stopped_at.map_or(self.timeout, |_| self.timeout.min(STOP_GRACE));
        Fault::Late(format!("no {what} within {timeout:.1?}{why}{}", self.process.stderr_note()))
    }

    /// Polls for a stop; after the first one never again.
    fn is_stopped(&mut self, now: Instant) -> bool {
        self.next_poll = now + POLL;
        let is_stopped = self.stopped.as_mut().is_some_and(|stopped| stopped());
        if is_stopped {
            self.stopped = None;
            self.stop_pending = true;
            self.stopped_at = Some(now);
        }
        is_stopped
    }

    fn take(&mut self, Arrived { piece, at }: Arrived, what: &str) -> Result<String, Fault> {
        if let Some(request) = &mut self.request {
            request.answered = Some(at);
        }
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

/// The fault of a message received instead of the expected one.
pub fn unexpected(message: &str, what: &str) -> Fault {
    Fault::Nonsense(format!("sent {}, expected {what}", quoted(message)))
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::PathBuf;
    use std::thread;

    use super::super::{Framing, Launch};
    use super::*;

    fn shell(script: &str) -> Process {
        let arguments = vec!["-c".to_owned(), script.to_owned()];
        let launch = Launch { program: PathBuf::from("sh"), arguments, folder: None, framing: Framing::Lines };
        Process::start(&launch).expect("every Unix has it")
    }

    /// Blocks this thread for `time`, as on a busy machine.
    fn be_held_up(time: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < time {
            thread::park_timeout(time);
        }
    }

    #[test]
    fn delays_of_this_program_are_not_those_of_the_engine() {
        let timeout = Duration::from_secs(2);
        let mut process = shell("read -r line; echo one; echo two; read -r line; echo three; read -r line");
        let mut never = || false;
        let mut exchange = Exchange::new(&mut process, timeout, &mut never);
        be_held_up(timeout);
        exchange.send("go");
        be_held_up(timeout);
        for expected in ["one", "two"] {
            assert_eq!(exchange.receive(expected).as_deref(), Ok(expected));
        }
        be_held_up(timeout);
        exchange.send("go on");
        assert_eq!(exchange.receive("three").as_deref(), Ok("three"));
        assert!(exchange.elapsed() < timeout, "{:?}", exchange.elapsed());
        let late = exchange.receive("four").expect_err("nothing more");
        assert_eq!(late, Fault::Late("no four within 2.0s".into()));
    }

    #[test]
    fn an_engine_that_does_not_read_is_late() {
        let mut process = shell("exec sleep 98765");
        let mut never = || false;
        let mut exchange = Exchange::new(&mut process, Duration::from_millis(200), &mut never);
        // More than a pipe holds.
        exchange.send(&"x".repeat(1 << 20));
        let late = exchange.receive("answer").expect_err("no answer");
        assert_eq!(late, Fault::Late("no answer within 200.0ms, as it does not read its input".into()));
    }
}
