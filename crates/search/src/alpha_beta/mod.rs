//! The alpha-beta family: negamax, principal variation search and MTD(f), deepened step by step, with a table of
//! positions; for play with a heuristic, and for exact values.

mod config;

pub use config::{Algorithm, AlphaBetaConfig, Guess, Ordering};
