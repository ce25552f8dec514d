//! The interfaces that every other crate of Banyan builds on.
//!
//! [`Game`] and [`Notation`] describe rules and their text; [`Knowledge`], [`Evaluator`] and [`PlayoutPolicy`] a game's
//! knowledge beyond its rules. A [`Player`] chooses moves within [`Limits`] and reports to a [`SearchObserver`]; its
//! result is a [`Report`]. [`perft`](perft()) and [`laws`] check that rules and knowledge are right. This crate
//! contains no game and no search.

pub mod bits;
mod board_table;
mod bounds_table;
pub mod cpu;
mod evaluator;
mod explored;
mod features;
mod game;
mod knowledge;
pub mod laws;
mod limits;
mod margin;
mod move_network;
mod notation;
mod perft;
mod picture;
mod player;
mod playout;
mod prover;
mod report;
mod rng;
mod solver;
mod sort;
mod structure;
mod tactical;
pub mod threads;

pub use board_table::BoardTable;
pub use bounds_table::{BoundsTable, ProvenEntry, TableAccess};
pub use evaluator::{Answer, Evaluator, Leaves, Priors, Value};
pub use explored::{Explored, ExploredEdge, ExploredNode};
pub use features::{Features, MoveFeatures};
pub use game::{Game, MoveCode, MoveList, Symmetry, canonical_key, mix};
pub use knowledge::{FINE, Knowledge, Plain};
pub use limits::{Clock, Limits, Timer};
pub use margin::{Bounds, Margin, Side};
pub use move_network::{MoveNetwork, NETWORK_LANES, network_bytes, network_units};
pub use notation::{Notation, TextError, TextErrorKind, parse_moves_by_word, play_words, shortened};
pub use perft::{perft, published_perft};
pub use picture::{Cell, Edge, Picture};
pub use player::{Fault, Flow, Player, SearchObserver, Silent, Situation};
pub use playout::{PlayoutPolicy, Uniform, random_move};
pub use prover::{Poll, Prover};
pub use report::{MoveStat, Report};
pub use rng::Rng;
pub use solver::{Solution, Solver};
pub use sort::sort_by_order;
pub use structure::{Fact, Fill, Part, Structure};
pub use tactical::{Playout, keep_value, record_tactical_playout, tactical_playout};
