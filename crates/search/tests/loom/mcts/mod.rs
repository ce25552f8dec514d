//! The modules of `src/mcts` that threads share, among atomics that loom knows, and models of what is done with them.

mod backup;
mod common;
mod expansion;
mod insertion;
#[allow(dead_code, reason = "the search uses all of it")]
#[path = "../../../src/mcts/layout.rs"]
mod layout;
mod proofs;
mod recycling;
