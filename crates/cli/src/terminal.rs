//! The output streams, and whether boards are drawn in ASCII.

use anstream::{AutoStream, ColorChoice};
use std::io::{IsTerminal, Stderr, Stdout, Write, stderr, stdout};

use terminal_size::{Width, terminal_size_of};

use crate::args::Color;

/// Columns of a line that goes to a file, a pipe or a terminal of unknown size.
const USUAL_WIDTH: usize = 80;

/// The two output streams, with colours removed where they are not wanted.
pub(crate) struct Terminal {
    /// Data.
    pub(crate) out: AutoStream<Stdout>,
    /// Progress and errors.
    pub(crate) err: AutoStream<Stderr>,
    /// ASCII characters only.
    pub(crate) ascii: bool,
    /// Columns of a line of data.
    pub(crate) width: usize,
}

impl Terminal {
    pub(crate) fn new(color: Color, ascii: bool) -> Terminal {
        let choice = match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Terminal {
            out: AutoStream::new(stdout(), choice),
            err: AutoStream::new(stderr(), choice),
            ascii,
            width: width(),
        }
    }

    /// Warns on a terminal if the build does not use the instruction set of the processor.
    pub(crate) fn warn_of_slow_build(&mut self) {
        if banyan_core::cpu::has_unused_v3() && stderr().is_terminal() {
            // If even this cannot be written, nothing can be done.
            let _ = writeln!(
                self.err,
                "note: this build does not use AVX2, which the processor supports, so searches are slower; rebuild with the \
                 repository's .cargo/config.toml, or with RUSTFLAGS=\"-C target-cpu=x86-64-v3\""
            );
        }
    }
}

/// The columns of the terminal that stdout goes to.
fn width() -> usize {
    let found = terminal_size_of(stdout()).map(|(Width(columns), _)| usize::from(columns));
    found.filter(|&columns| columns > 0).unwrap_or(USUAL_WIDTH)
}
