//! Records the input and output of an engine: the last part of its stderr, for messages, and everything in a log, if
//! there is one.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use banyan_catalog::{Direction, EngineLog};

use super::Piece;

/// Bytes of stderr kept.
const KEPT: usize = 64 << 10;

/// The last [`KEPT`] bytes of stderr, and the log; clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Trace {
    stderr: Arc<Mutex<VecDeque<u8>>>,
    log: Arc<Mutex<Option<Arc<dyn EngineLog>>>>,
}

impl Trace {
    /// Passes everything from now on to `log`, if there is one.
    pub(super) fn log_to(&self, log: Option<Arc<dyn EngineLog>>) {
        *lock(&self.log) = log;
    }

    /// The log, if there is one.
    pub(super) fn log(&self) -> Option<Arc<dyn EngineLog>> {
        lock(&self.log).clone()
    }

    /// Records the bytes written to the engine.
    pub(super) fn sent(&self, bytes: &[u8], at: Instant) {
        self.pass_on(at, Direction::Sent, bytes);
    }

    /// Records the output of the engine.
    pub(super) fn received(&self, piece: &Piece, at: Instant) {
        match piece {
            Piece::Message(text) => self.pass_on(at, Direction::Received, text.as_bytes()),
            Piece::CutOff(text) => self.pass_on(at, Direction::Received, format!("{text} (cut off)").as_bytes()),
            Piece::TooLong => self.pass_on(at, Direction::Received, b"(a message that is too long)"),
            Piece::End => self.pass_on(at, Direction::Received, b"(the end of its output)"),
        }
    }

    /// Reads stderr until it ends.
    pub(super) fn follow(&self, mut stderr: impl Read) {
        let mut buffer = [0; 4096];
        while let Ok(n @ 1..) = stderr.read(&mut buffer) {
            self.add(&buffer[..n]);
            self.pass_on(Instant::now(), Direction::Error, &buffer[..n]);
        }
    }

    fn pass_on(&self, at: Instant, direction: Direction, bytes: &[u8]) {
        if let Some(log) = self.log() {
            let text = String::from_utf8_lossy(bytes);
            // An empty message is logged too.
            let lines = text.lines().chain(text.is_empty().then_some(""));
            lines.for_each(|line| log.add(at, direction, line));
        }
    }

    fn add(&self, bytes: &[u8]) {
        let mut kept = lock(&self.stderr);
        kept.extend(bytes);
        let beyond = kept.len().saturating_sub(KEPT);
        kept.drain(..beyond);
    }

    /// The bytes of stderr kept, as text.
    pub(super) fn stderr(&self) -> String {
        String::from_utf8_lossy(lock(&self.stderr).make_contiguous()).into_owned()
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let trace = Trace::default();
        trace.follow(&b"first line\n"[..]);
        assert_eq!(trace.stderr(), "first line\n");
        trace.follow(&vec![b'x'; KEPT - 3][..]);
        trace.follow(&b"end"[..]);
        let text = trace.stderr();
        assert_eq!(text.len(), KEPT);
        assert!(text.starts_with('x') && text.ends_with("xend"));
    }
}
