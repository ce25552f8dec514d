//! Searches that choose moves in any game: a random mover, a one-ply greedy mover, and UCT.
//!
//! This crate names no game: it knows the rules through [`banyan_core::Game`] alone.

mod budget;
mod greedy;
mod mcts;
mod random;
mod tunables;

pub use greedy::Greedy;
pub use mcts::{Config, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, Reuse, Reward, TieBreak, Uct};
pub use random::Random;
pub use tunables::{Range, TUNABLES, Tunable};
