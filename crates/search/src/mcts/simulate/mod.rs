//! Simulations: select, expand, evaluate, back up. Code that is generic over the game is here; code that is not is in
//! `tree`.

mod batch;
mod children;
mod context;
mod descend;
mod expand;
mod group;
mod gumbel;
mod heuristics;
mod learn;
mod opponent_model;
mod pending_moves;
mod priors;
mod root;
mod root_bias;
mod search;
mod searcher;
mod simulated;

pub(crate) use context::Context;
pub(crate) use opponent_model::OpponentModel;
pub(crate) use search::Search;
pub(crate) use searcher::{Running, Searcher};
