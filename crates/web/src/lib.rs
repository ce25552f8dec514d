//! The browser page of Banyan: play, analyse, review and watch matches. An HTTP server with an embedded page; the
//! results of long computations arrive as server-sent events, and the computations end when their viewer leaves.
//!
//! The server stores no games: a game is its specification and its moves, which the page holds. docs/web-api.md
//! describes the requests.

mod about;
mod access_log;
mod analysis;
mod app;
mod asked;
mod assets;
mod base;
mod clients;
mod connections;
mod events;
mod exchange;
mod guard;
mod jobs;
mod limits;
mod lock;
mod matches;
mod priority;
mod queue;
mod refusal;
mod routes;
mod server;
mod viewers;
mod workers;

pub use base::Base;
pub use limits::ServerLimits;
pub use server::{Server, ServerConfig, Stopper};
