//! The search tree, or graph: nodes, edges and their statistics, selection, backup, proofs and the memory cap.
//!
//! Nothing here depends on a game: moves are codes of 16 bits, positions are keys, values are rewards and margins. So
//! this code is compiled once, not once for each game.

mod access;
mod amaf;
mod backup;
mod bounds;
mod choose;
mod columns;
mod edge;
mod expanded;
mod graph;
mod gumbel;
mod kl_ucb;
mod lanes;
mod layout;
mod minimax;
mod node;
mod node_table;
mod params;
mod path;
mod pending;
mod recycle;
mod recycler;
mod root;
mod search_tree;
mod select;
mod sequential_halving;
pub(crate) mod shared;
mod ties;
mod unobserved;
mod virtual_loss;
mod widening;

pub(crate) use access::{Access, Exclusive};
pub(crate) use backup::BackupUpdate;
pub(crate) use bounds::Packed;
pub(crate) use choose::{AtNode, Chosen, Guide};
#[cfg(test)]
pub(crate) use columns::Column;
pub(crate) use graph::{Below, Edge, EdgeStats, Graph, NodeId};
pub(crate) use params::{LeafValue, Params};
pub(crate) use search_tree::{Expansion, Tree};
pub(crate) use select::exploration;
pub(crate) use ties::{Ties, pick};
