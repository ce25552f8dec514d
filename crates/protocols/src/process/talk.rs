//! One step of a conversation with a program: a question, its answer, and how long to wait for it.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use banyan_catalog::{Stopped, quoted};
use banyan_core::Fault;

use super::{LONGEST_MESSAGE, Piece, Process};

/// Bytes that an engine may say before it has answered what it was asked.
const FLOOD: usize = 16 << 20;
/// Between two looks at whether anybody still wants the answer.
const POLL: Duration = Duration::from_millis(10);
/// An engine that was told to stop has so long to answer.
pub(crate) const STOP_GRACE: Duration = Duration::from_secs(1);
/// What was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A message.
    Message(String),
    /// Nobody wants the answer any more; said once. The engine has a second to answer all the same.
    Stopped,
}

/// One step of a conversation: a question, and all that is heard until its answer or the deadline.
pub struct Talk<'a> {
    process: &'a mut Process,
    until: Instant,
    patience: Duration,
    /// When to ask next whether the answer is still wanted.
    look_up: Instant,
    /// `None` once it said so.
    stopped: Option<Stopped<'a>>,
    /// Nobody was told yet that it said so.
    untold: bool,
    heard_bytes: usize,
}

impl<'a> Talk<'a> {
    /// A step that may take so long, unless it is `stopped`.
    pub fn new(process: &'a mut Process, patience: Duration, stopped: Stopped<'a>) -> Talk<'a> {
        let now = Instant::now();
        Talk {
            process,
            until: now + patience,
            patience,
            look_up: now + POLL,
            stopped: Some(stopped),
            untold: false,
            heard_bytes: 0,
        }
    }

    /// The program at the other end.
    pub fn process(&mut self) -> &mut Process {
        self.process
    }

    /// Says a line.
    pub fn say(&mut self, line: &str) {
        self.process.send(format!("{line}\n").into_bytes());
    }

    /// The next message, whatever else is wanted by then; `what` names the answer that is waited for.
    ///
    /// # Errors
    /// None came: the engine ended, was late or said too much.
    pub fn hear(&mut self, what: &str) -> Result<String, Fault> {
        loop {
            if let Some(message) = self.wait(what)? {
                return Ok(message);
            }
        }
    }

    /// The next message, or word that the answer is not wanted any more.
    ///
    /// # Errors
    /// As in [`hear`](Talk::hear).
    pub fn hear_or_stop(&mut self, what: &str) -> Result<Heard, Fault> {
        loop {
            if std::mem::take(&mut self.untold) {
                return Ok(Heard::Stopped);
            }
            if let Some(message) = self.wait(what)? {
                return Ok(Heard::Message(message));
            }
        }
    }

    /// The next message, or `None` if it is time to look up.
    fn wait(&mut self, what: &str) -> Result<Option<String>, Fault> {
        loop {
            // An engine that talks on and on must not keep us from looking at the clock.
            let now = Instant::now();
            if now >= self.until {
                return Err(Fault::Late(format!(
                    "no {what} within {:.1?}{}",
                    self.patience,
                    self.process.last_words()
                )));
            }
            if now >= self.look_up && self.is_stopped(now) {
                return Ok(None);
            }
            match self.process.from.recv_timeout((self.until - now).min(POLL)) {
                Ok(piece) => return self.take(piece, what).map(Some),
                Err(RecvTimeoutError::Disconnected) => return Err(Fault::Crashed(self.process.obituary())),
                // A child of its may keep its output open; it ends with its parent, and what was said is heard first.
                Err(RecvTimeoutError::Timeout) => drop(self.process.has_ended()),
            }
        }
    }

    /// Looks up from waiting; once stopped never again.
    fn is_stopped(&mut self, now: Instant) -> bool {
        self.look_up = now + POLL;
        let is_stopped = self.stopped.as_mut().is_some_and(|stopped| stopped());
        if is_stopped {
            self.stopped = None;
            self.untold = true;
            self.until = self.until.min(now + STOP_GRACE);
            self.patience = self.patience.min(STOP_GRACE);
        }
        is_stopped
    }

    fn take(&mut self, piece: Piece, what: &str) -> Result<String, Fault> {
        match piece {
            Piece::Message(message) => {
                self.heard_bytes += message.len() + 1;
                if self.heard_bytes > FLOOD {
                    let mib = FLOOD >> 20;
                    return Err(Fault::Nonsense(format!("said more than {mib} MiB, and no {what} among it")));
                }
                Ok(message)
            }
            Piece::TooLong => {
                let mib = LONGEST_MESSAGE >> 20;
                Err(Fault::Nonsense(format!("a message of more than {mib} MiB where {what} was expected")))
            }
            Piece::CutOff(text) => {
                let how = self.process.obituary();
                Err(Fault::Crashed(format!("in the middle of the line {} it {how}", quoted(&text))))
            }
            Piece::End => Err(Fault::Crashed(self.process.obituary())),
        }
    }
}

/// What programs begin with when they answer in their own protocol, or do not know what they were told.
const FIRST_WORDS: [&str; 9] = ["ugiok", "uciok", "uaiok", "=", "?", "Error", "error", "Unknown", "unknown"];

/// Whether a line shows that its speaker speaks another protocol than the one that has the first words `own`.
pub fn speaks_another(line: &str, own: &[&str]) -> bool {
    let first = line.split_whitespace().next();
    first.is_some_and(|word| FIRST_WORDS.contains(&word) && !own.contains(&word))
}

/// A complaint about what was heard in place of something else.
pub fn unexpected(message: &str, what: &str) -> Fault {
    Fault::Nonsense(format!("said {} where {what} was expected", quoted(message)))
}
