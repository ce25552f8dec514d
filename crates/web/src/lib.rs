//! The page of Banyan in a browser: play, analyse, review and watch matches. An HTTP server with an embedded page; everything that
//! takes time arrives as server-sent events and ends when its viewer leaves.
//!
//! The server keeps no games: a game is its specification and its moves, which the page holds. docs/web-api.md describes the requests.

mod about;
mod app;
mod assets;
mod edit;
mod exchange;
mod guard;
mod limits;
mod refusal;
mod routes;
mod server;
mod spot;
mod state;
mod title;

pub use limits::ServerLimits;
pub use server::{Server, ServerConfig, Stopper};
