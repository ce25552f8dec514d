//! Where everything is written: both streams, and how boards are to look.

use anstream::{AutoStream, ColorChoice};
use std::io::{IsTerminal, Stderr, Stdout, Write, stderr, stdout};

use crate::args::Color;

/// The two streams, which lose their colour where nobody wants it.
pub(crate) struct Terminal {
    /// Data.
    pub(crate) out: AutoStream<Stdout>,
    /// Progress and errors.
    pub(crate) err: AutoStream<Stderr>,
    /// Only plain characters.
    pub(crate) ascii: bool,
}

impl Terminal {
    pub(crate) fn new(color: Color, ascii: bool) -> Terminal {
        let choice = match color {
            Color::Auto => ColorChoice::Auto,
            Color::Always => ColorChoice::Always,
            Color::Never => ColorChoice::Never,
        };
        Terminal { out: AutoStream::new(stdout(), choice), err: AutoStream::new(stderr(), choice), ascii }
    }

    /// Warns a person at the terminal when the build uses less than the processor has.
    pub(crate) fn tell_of_slow_build(&mut self) {
        if banyan_core::cpu::has_unused_v3() && stderr().is_terminal() {
            // Nothing can be done where even this cannot be written.
            let _ = writeln!(
                self.err,
                "note: this build does not use AVX2, which this processor has; searches are slower than need be (build with \
                 the repository's own .cargo/config.toml, or RUSTFLAGS=\"-C target-cpu=x86-64-v3\")"
            );
        }
    }
}
