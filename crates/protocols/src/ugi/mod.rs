//! UGI, the Universal Game Interface of kz04px, with extensions (docs/ugi.md).

mod client;
mod current_game;
mod go;
mod info;
mod offer;
mod server;
mod settings;

use std::io::{self, Write};

use banyan_core::TextError;

pub use client::Client;
pub use info::Info;
pub use server::serve;

/// Sends an error message as one line.
pub(crate) fn send_error(output: &mut dyn Write, err: &TextError) -> io::Result<()> {
    writeln!(output, "info string error: {}", err.to_string().replace(['\n', '\r'], " "))
}
