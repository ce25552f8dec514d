//! The output streams, and whether boards are drawn in ASCII.

use std::io::{self, ErrorKind, IsTerminal, Stderr, Stdout, Write, stderr, stdout};

use anstream::{AutoStream, ColorChoice};
use banyan_texts::Language;
use terminal_size::{Width, terminal_size_of};

use crate::input::args::Color;

/// Columns of a terminal of unknown size.
const USUAL_WIDTH: usize = 80;

/// Columns of a line of a file or pipe: enough for every table.
const UNLIMITED: usize = 10_000;

/// The two output streams, with colours removed if they are not wanted.
pub(crate) struct Terminal {
    /// Data.
    pub(crate) out: Output,
    /// Progress and errors.
    pub(crate) err: Messages,
    /// Whether only ASCII characters are used.
    pub(crate) ascii: bool,
    /// Columns of a line of a table.
    pub(crate) width: usize,
    /// The language of the commands that have `--lang`.
    pub(crate) language: Language,
}

impl Terminal {
    pub(crate) fn new(color: Color, ascii: bool, unread: Unread) -> Terminal {
        let choice = match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Terminal {
            out: Output { to: AutoStream::new(stdout(), choice), unread, is_unread: false },
            err: Messages(AutoStream::new(stderr(), choice)),
            ascii,
            width: width(),
            language: Language::En,
        }
    }

    /// Whether data is written in colours.
    pub(crate) fn has_colours(&self) -> bool {
        self.out.to.current_choice() != ColorChoice::Never
    }

    /// Warns on a terminal if the build does not use the instruction set of the processor.
    pub(crate) fn warn_of_slow_build(&mut self) {
        if banyan_bits::cpu::has_unused_v3() && stderr().is_terminal() {
            // If even this cannot be written, nothing can be done.
            let _ = writeln!(
                self.err,
                "note: this build does not use AVX2, which the processor supports, so searches are slower; rebuild with the \
                 repository's .cargo/config.toml, or with RUSTFLAGS=\"-C target-cpu=x86-64-v3\""
            );
        }
    }
}

/// The behaviour of a command when its output is closed by its reader, such as `| head`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// It ends with exit code 0: it has no other purpose than its output.
    End,
    /// It continues without output: it writes files, or its exit code is an answer.
    Continue,
    /// It ends with an error: its exit code is an answer that would take long.
    Fail,
}

/// Stdout.
pub(crate) struct Output {
    to: AutoStream<Stdout>,
    unread: Unread,
    /// Whether the output was closed, and the command continues.
    is_unread: bool,
}

impl Output {
    /// Handles a closed output.
    fn checked<T>(&mut self, written: io::Result<T>, instead: T) -> io::Result<T> {
        match (written, self.unread) {
            (Err(err), Unread::Continue) if err.kind() == ErrorKind::BrokenPipe => {
                self.is_unread = true;
                Ok(instead)
            }
            (Err(err), Unread::Fail) if err.kind() == ErrorKind::BrokenPipe => {
                Err(io::Error::other("cannot write to stdout: its reader has left before the end"))
            }
            (written, _) => written,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_unread {
            return Ok(bytes.len());
        }
        let written = self.to.write(bytes);
        self.checked(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.is_unread {
            return Ok(());
        }
        let flushed = self.to.flush();
        self.checked(flushed, ())
    }
}

/// Stderr. A command does its work even if its messages cannot be written, so writing never fails.
pub(crate) struct Messages(AutoStream<Stderr>);

impl Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            // The caller tries again.
            Err(err) if err.kind() == ErrorKind::Interrupted => Err(err),
            written => Ok(written.unwrap_or(bytes.len())),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.0.flush();
        Ok(())
    }
}

/// The columns of the terminal that stdout goes to; a file or pipe has no narrow lines.
fn width() -> usize {
    if !stdout().is_terminal() {
        return UNLIMITED;
    }
    let found = terminal_size_of(stdout()).map(|(Width(columns), _)| usize::from(columns));
    found.filter(|&columns| columns > 0).unwrap_or(USUAL_WIDTH)
}
