//! Botzone's JSON for Reversi on 8x8: one line in, one line out.
//!
//! A request contains the whole game, so a program may be started for every turn. A program that requests to be kept
//! running receives only the new move.

mod client;
mod server;

pub use banyan_formats::botzone::{Input, KEEP_RUNNING, Place, Response};
pub use client::Client;
pub use server::{Life, serve};
