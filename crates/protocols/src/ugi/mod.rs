//! UGI, the Universal Game Interface of kz04px, with our extensions: docs/ugi.md.

mod client;
mod current_game;
mod go;
mod info;
mod server;
mod settings;

use std::io::{self, Write};

use banyan_core::TextError;

pub use client::Client;
pub(crate) use current_game::split_position;
pub use info::Info;
pub use server::serve;

/// Says what was wrong with a line, in one line of its own.
pub(crate) fn complain(output: &mut dyn Write, err: &TextError) -> io::Result<()> {
    writeln!(output, "info string error: {}", err.to_string().replace(['\n', '\r'], " "))
}
