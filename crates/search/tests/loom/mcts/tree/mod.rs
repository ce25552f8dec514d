//! The modules of `src/mcts/tree` that threads share, compiled with loom's atomics, and models of their use.

mod backup;
mod columns;
mod expansion;
mod insertion;
#[allow(dead_code, reason = "the search uses all of it")]
#[path = "../../../../src/mcts/tree/layout.rs"]
pub(crate) mod layout;
mod proofs;
mod recycling;
mod shared;
