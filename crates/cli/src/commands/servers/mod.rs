//! The subcommands that serve a protocol on stdin and stdout.

pub(crate) mod analysis;
pub(crate) mod botzone;
pub(crate) mod gtp;
pub(crate) mod nboard;
pub(crate) mod saiblo;
pub(crate) mod sau;
mod server_args;
pub(crate) mod strategy_host;
pub(crate) mod ugi;
