//! UGI, the Universal Game Interface of kz04px, with our extensions: docs/ugi.md.

mod client;
mod go;
mod info;
mod server;
mod settings;
mod table;

pub use client::Client;
pub use info::Info;
pub use server::serve;
pub(crate) use table::split_position;
