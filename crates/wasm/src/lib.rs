//! Banyan in a browser, in a web worker or in Node: the answers of the page without a server.
//!
//! [`Engine`] answers requests by name, with JSON in and out, and begins searches as [`Job`]s, which run in slices. For JavaScript they are
//! classes of the same names (`door`), which exist in WebAssembly only.

#[cfg(target_family = "wasm")]
mod door;
mod engine;
mod job;
mod post;

pub use engine::Engine;
pub use job::Job;
pub use post::Listener;
