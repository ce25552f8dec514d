//! The interfaces that every other crate of Banyan builds on.
//!
//! [`Game`] and [`Notation`] describe rules and their text; [`Knowledge`], [`Evaluator`] and [`PlayoutPolicy`] a game's
//! knowledge beyond its rules. A [`Player`] chooses moves within [`Limits`] and reports to a [`SearchObserver`]; its
//! result is a [`Report`]. [`perft`](perft()) counts moves, to check rules; the crate `banyan-laws` checks rules and
//! knowledge. This crate contains no game and no search.

pub mod clock;
mod erased;
mod evaluator;
mod explored;
mod exponential;
mod game;
mod in_progress;
mod knowledge;
mod learner;
mod limits;
mod margin;
mod notation;
mod perft;
mod picture;
mod planes;
mod player;
mod playout;
mod prover;
mod reason;
mod report;
mod rng;
mod solver;
mod sort;
mod structure;
mod tactical;
pub mod threads;

// Part of the contract of keys: `Game::key` must be mixed in all bits.
pub use banyan_bits::mix;

pub use erased::{ErasedGame, ErasedState, erase_planes, erase_player, erase_prover, restore_player};
pub use evaluator::{Answer, Evaluator, Leaves, Priors, Value};
pub use explored::{Explored, ExploredEdge, ExploredNode};
pub use exponential::{exp, tanh};
pub use game::{Game, MoveCode, MoveList, Symmetry, canonical_key};
pub use in_progress::InProgress;
pub use knowledge::{FINE, Knowledge, Plain};
pub use learner::{LastMoves, Learner, SimulatedMove};
pub use limits::{Clock, Limits, Timer};
pub use margin::{Bounds, Margin, Side};
pub use notation::{Notation, TextError, TextErrorKind, parse_moves_by_word, play_words, shortened};
pub use perft::{perft, published_perft};
pub use picture::{Cell, Edge, Picture};
pub use planes::{PlaneBatch, PlaneEvaluator, Planes};
pub use player::{Fault, Flow, Player, SearchObserver, Silent, Situation};
pub use playout::{PlayoutPolicy, Uniform, random_move};
pub use prover::{Poll, Prover};
pub use reason::{Line, Mistake, Reason};
pub use report::{MoveStat, Report};
pub use rng::Rng;
pub use solver::{Solution, Solver};
pub use sort::sort_by_order;
pub use structure::{Fact, Fill, Part, Structure};
pub use tactical::{Playout, keep_value, record_tactical_playout, tactical_playout};
