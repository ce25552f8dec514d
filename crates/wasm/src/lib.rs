//! Banyan in a browser, in a web worker or in Node: the answers of the page without a server.
//!
//! [`Engine`] answers requests by name, with JSON in and out, and begins searches as [`Job`]s, which run in slices. For JavaScript they are
//! classes of the same names (`bindings`), which exist in WebAssembly only.

#[cfg(target_family = "wasm")]
mod bindings;
mod engine;
mod job;
mod slice_sink;

pub use engine::Engine;
pub use job::Job;
pub use slice_sink::Listener;
