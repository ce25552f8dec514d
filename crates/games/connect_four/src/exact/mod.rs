//! Exact values of Connect Four on every board: null windows, a table of proven bounds, and bounds by strategies of both sides.

mod node;
mod prover;
mod search;
mod strategy;
mod structure;

pub use prover::ExactValues;
