//! Botzone's JSON for Reversi on 8x8: one line in, one line out.
//!
//! A request contains the whole game, so a program may be started for every turn. A program that requests to be kept
//! running receives only the new move.

mod client;
mod codec;
mod server;
pub(crate) mod transcript;

pub use client::Client;
pub use codec::{Input, KEEP_RUNNING, Place, Response};
pub use server::{Life, serve};
