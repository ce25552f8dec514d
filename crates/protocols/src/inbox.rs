//! Input that is read while a search runs, so that whoever asks may also say stop.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;

use crate::lines::{Line, Lines};

/// Lines kept for later at most; the sender of more has to wait.
const KEPT: usize = 1024;

/// Lines of input in their order, some of which may be looked at before it is their turn.
pub(crate) struct Inbox {
    arriving: Receiver<io::Result<Line>>,
    waiting: VecDeque<io::Result<Line>>,
    ended: bool,
}

impl Inbox {
    /// Begins to read `input` on a thread of its own, which ends with the input or the program.
    pub(crate) fn new(input: impl BufRead + Send + 'static, longest: usize) -> Inbox {
        let (sender, arriving) = sync_channel(KEPT);
        thread::spawn(move || {
            let mut lines = Lines::new(input, longest);
            while let Some(line) = lines.next().transpose() {
                let is_broken = line.is_err();
                if sender.send(line).is_err() || is_broken {
                    return;
                }
            }
        });
        Inbox { arriving, waiting: VecDeque::new(), ended: false }
    }

    /// The next line, waited for; `None` at the end of input.
    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        match self.waiting.pop_front() {
            Some(line) => line.map(Some),
            None => self.arriving.recv().ok().transpose(),
        }
    }

    /// Whether the input has ended, or `says_stop` of any line that has arrived.
    pub(crate) fn says(&mut self, says_stop: impl Fn(&str) -> bool) -> bool {
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
        self.ended || self.waiting.iter().any(|line| matches!(line, Ok(Line::Text(text)) if says_stop(text)))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufReader, Write, pipe};
    use std::time::{Duration, Instant};

    use super::*;

    /// Waits for what comes about on another thread.
    fn comes_about(mut is_so: impl FnMut() -> bool) -> bool {
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
    fn a_line_looked_at_early_still_comes_in_its_turn() {
        let (reader, mut writer) = pipe().expect("a pipe");
        let mut inbox = Inbox::new(BufReader::new(reader), 100);
        assert!(!inbox.says(|_| true));
        writer.write_all(b"one\nstop\n").expect("somebody reads");
        assert!(comes_about(|| inbox.says(|line| line == "stop")));
        assert!(!inbox.says(|line| line == "other"));
        for expected in ["one", "stop"] {
            assert_eq!(inbox.next().expect("no error"), Some(Line::Text(expected.to_owned())));
        }
        drop(writer);
        assert!(comes_about(|| inbox.says(|_| false)));
        assert_eq!(inbox.next().expect("no error"), None);
    }
}
