//! Botzone's JSON for Reversi on 8x8: one line in, one line out.
//!
//! A request has everything that was said before, so that a program may be started for every turn. One that asks to be kept
//! running is sent only what is new.

mod client;
mod codec;
mod server;

pub use client::Client;
pub use codec::{Input, KEEP_RUNNING, Place, Response};
pub use server::{Life, serve};
