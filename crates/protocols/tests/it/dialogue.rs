//! A server connected by two pipes.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write, pipe};
use std::thread::{self, JoinHandle};

use banyan_protocols::ServeError;

/// A connection to a server that runs on its own thread.
pub(crate) struct Dialogue {
    to: PipeWriter,
    pub(crate) from: BufReader<PipeReader>,
    server: JoinHandle<Result<(), ServeError>>,
}

impl Dialogue {
    /// Starts a server that reads from one stream and writes to the other.
    pub(crate) fn with(
        serve: impl FnOnce(BufReader<PipeReader>, PipeWriter) -> Result<(), ServeError> + Send + 'static,
    ) -> Dialogue {
        let (input, to) = pipe().expect("a pipe");
        let (from, output) = pipe().expect("a pipe");
        let server = thread::spawn(move || serve(BufReader::new(input), output));
        Dialogue { to, from: BufReader::new(from), server }
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.to, "{line}").expect("the server reads");
    }

    /// Lines up to the first for which `is_last` holds, or up to the end.
    pub(crate) fn receive(&mut self, is_last: impl Fn(&str) -> bool) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line).expect("text") == 0 {
                return lines;
            }
            lines.push(line.trim_end_matches('\n').to_owned());
            if lines.last().is_some_and(|line| is_last(line)) {
                return lines;
            }
        }
    }

    /// Closes the server's input, waits until it returns, and returns its remaining output.
    pub(crate) fn end(self) -> (Result<(), ServeError>, Vec<String>) {
        let Dialogue { to, from, server } = self;
        drop(to);
        let rest = from.lines().map(|line| line.expect("text")).collect();
        (server.join().expect("servers do not panic"), rest)
    }
}
