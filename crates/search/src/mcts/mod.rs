//! Monte Carlo search in a tree or a graph: the player, its nodes ([`tree`]), one simulation ([`simulate`]), the values of leaves
//! ([`evaluators`]), threads ([`parallel`]) and reports ([`report`]).

mod evaluators;
mod parallel;
mod player;
mod report;
mod simulate;
#[cfg(test)]
mod tests;
mod tree;

pub use evaluators::{EVALUATORS, StaticEvaluator, evaluators_of, leaf_evaluator, playouts};
pub use player::Mcts;
