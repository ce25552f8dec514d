//! Monte Carlo search in a tree or a graph: the player, its nodes ([`tree`]), one simulation ([`simulate`]), the values of leaves
//! ([`evaluators`]), one thread or several ([`one_thread`], [`parallel`]) and reports ([`report`]).

mod evaluators;
mod one_thread;
mod parallel;
mod player;
mod report;
mod simulate;
#[cfg(test)]
mod tests;
mod tree;

pub use evaluators::{EVALUATORS, StaticEvaluator, evaluators_of, leaf_evaluator, playouts};
pub use player::Mcts;
