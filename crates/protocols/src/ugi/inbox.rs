//! What is said to us, also while a search runs.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;

use crate::process::{Framing, Piece, read_piece};

/// Lines that may wait before whoever sends them has to.
const WAITING: usize = 1024;

/// Lines as they come, and those that came during a search and have to wait for its end.
pub(super) struct Inbox {
    lines: Receiver<String>,
    pub(super) waiting: VecDeque<String>,
    pub(super) ended: bool,
}

impl Inbox {
    pub(super) fn of(input: impl Read + Send + 'static) -> Inbox {
        let (to, lines) = sync_channel(WAITING);
        // It waits for input until there is no more, which may be long after everything else has ended.
        thread::spawn(move || {
            let mut input = BufReader::new(input);
            while let Ok(Piece::Message(line) | Piece::CutOff(line)) = read_piece(Framing::Lines, &mut input) {
                if to.send(line).is_err() {
                    break;
                }
            }
        });
        Inbox { lines, waiting: VecDeque::new(), ended: false }
    }

    /// The next line, waited for; `None` when there are no more.
    pub(super) fn next(&mut self) -> Option<String> {
        self.waiting.pop_front().or_else(|| self.lines.recv().ok())
    }

    /// What has come for a search under way.
    pub(super) fn look(&mut self) -> Word {
        match self.lines.try_recv() {
            // Whoever says more during a search than he may has to wait, and with him all that follows.
            Ok(line) if !self.waiting.is_empty() => self.wait_with(line),
            Ok(line) => match line.trim() {
                "isready" => Word::IsReady,
                "stop" => Word::Stop,
                "quit" => {
                    self.waiting.push_back(line);
                    Word::Stop
                }
                _ => self.wait_with(line),
            },
            Err(TryRecvError::Empty) => Word::Nothing,
            Err(TryRecvError::Disconnected) => {
                self.ended = true;
                Word::Nothing
            }
        }
    }

    fn wait_with(&mut self, line: String) -> Word {
        self.waiting.push_back(line);
        Word::Nothing
    }

    /// Waits for word that ends a search which has nothing more to find out.
    pub(super) fn wait_for_stop(&mut self, output: &mut dyn Write) -> io::Result<()> {
        while self.waiting.is_empty() && !self.ended {
            let Ok(line) = self.lines.recv() else { break };
            match line.trim() {
                "isready" => {
                    writeln!(output, "readyok")?;
                    output.flush()?;
                }
                "stop" => break,
                _ => self.waiting.push_back(line),
            }
        }
        Ok(())
    }
}

/// What may be said to an engine that searches.
pub(super) enum Word {
    Nothing,
    IsReady,
    Stop,
}
