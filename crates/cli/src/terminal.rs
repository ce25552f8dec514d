//! Where everything is written: both streams, and how boards are to look.

use anstream::{AutoStream, ColorChoice};
use std::io::{Stderr, Stdout, stderr, stdout};

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
}
