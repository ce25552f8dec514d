//! Input that is read while a search runs, so that a `stop` is noticed.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use banyan_core::threads;

use super::lines::{Line, Lines};

/// Maximum number of buffered lines; beyond it, reading pauses.
const KEPT: usize = 1024;

/// A queue of input lines that can be inspected before they are read.
pub(crate) struct Inbox {
    arriving: Receiver<io::Result<Line>>,
    waiting: VecDeque<io::Result<Line>>,
    ended: bool,
}

impl Inbox {
    /// Starts a thread that reads `input` until it ends or the program exits. If the system refuses the thread, reading
    /// fails.
    pub(crate) fn new(input: impl BufRead + Send + 'static, longest: usize) -> Inbox {
        let (sender, arriving) = sync_channel(KEPT);
        let read = move || {
            let mut lines = Lines::new(input, longest);
            while let Some(line) = lines.next().transpose() {
                let is_broken = line.is_err();
                if sender.send(line).is_err() || is_broken {
                    return;
                }
            }
        };
        // Without a thread the input cannot be read: the error is reported by the first read.
        let refused = threads::spawn(read).err().map(Err);
        Inbox { arriving, waiting: refused.into_iter().collect(), ended: false }
    }

    /// Waits for the next line; `None` at the end of input.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        match self.waiting.pop_front() {
            Some(line) => line.map(Some),
            None => self.arriving.recv().ok().transpose(),
        }
    }

    /// Puts a line back at the front.
    pub(crate) fn put_back(&mut self, line: Line) {
        self.waiting.push_front(Ok(line));
    }

    /// Whether the input has ended, or a line has arrived for which `is_stop` holds.
    pub(crate) fn has_stop(&mut self, is_stop: impl Fn(&str) -> bool) -> bool {
        self.contains(is_stop) || self.ended
    }

    /// Whether a line has arrived for which `is_meant` holds.
    pub(crate) fn contains(&mut self, is_meant: impl Fn(&str) -> bool) -> bool {
        self.collect();
        self.waiting.iter().any(|line| matches_line(line, &is_meant))
    }

    /// Removes the first line for which `is_meant` holds, if one has arrived. Returns whether it did.
    pub(crate) fn take(&mut self, is_meant: impl Fn(&str) -> bool) -> bool {
        self.collect();
        let found = self.waiting.iter().position(|line| matches_line(line, &is_meant));
        found.and_then(|at| self.waiting.remove(at)).is_some()
    }

    /// Whether a line that is not blank has arrived, or the input has ended.
    pub(crate) fn has_waiting(&mut self) -> bool {
        self.collect();
        self.ended || !self.waiting.iter().all(|line| matches_line(line, &|text| text.trim().is_empty()))
    }

    /// Moves arrived lines into the queue.
    fn collect(&mut self) {
        while self.waiting.len() < KEPT {
            match self.arriving.try_recv() {
                Ok(line) => self.waiting.push_back(line),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.ended = true;
                    break;
                }
            }
        }
    }
}

fn matches_line(line: &io::Result<Line>, is_meant: &impl Fn(&str) -> bool) -> bool {
    matches!(line, Ok(Line::Text(text)) if is_meant(text))
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write, pipe};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    /// Waits until a condition that depends on another thread holds; false after 10 s.
    fn wait_until(mut is_so: impl FnMut() -> bool) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(10) {
            if is_so() {
                return true;
            }
            thread::yield_now();
        }
        false
    }

    #[test]
    fn without_a_thread_reading_fails() {
        let mut inbox = threads::with_at_most(0, || Inbox::new(&b"quit\n"[..], 100));
        assert_eq!(inbox.next().expect_err("nobody reads").kind(), io::ErrorKind::WouldBlock);
        assert_eq!(inbox.next().expect("the end"), None);
    }

    #[test]
    fn an_inspected_line_keeps_its_place() {
        let (reader, mut writer) = pipe().expect("a pipe");
        let mut inbox = Inbox::new(BufReader::new(reader), 100);
        assert!(!inbox.has_stop(|_| true));
        writer.write_all(b"one\nstop\n").expect("somebody reads");
        assert!(wait_until(|| inbox.has_stop(|line| line == "stop")));
        assert!(!inbox.has_stop(|line| line == "other"));
        for expected in ["one", "stop"] {
            assert_eq!(inbox.next().expect("no error"), Some(Line::Text(expected.to_owned())));
        }
        writer.write_all(b" \nready\n").expect("somebody reads");
        assert!(wait_until(|| inbox.take(|line| line == "ready")));
        assert!(!inbox.take(|line| line == "ready") && !inbox.has_waiting());
        inbox.put_back(Line::TooLong);
        assert!(inbox.has_waiting());
        assert_eq!(inbox.next().expect("no error"), Some(Line::TooLong));
        assert_eq!(inbox.next().expect("no error"), Some(Line::Text(" ".to_owned())));
        drop(writer);
        assert!(wait_until(|| inbox.has_stop(|_| false)));
        assert_eq!(inbox.next().expect("no error"), None);
    }
}
