//! The contracts that the whole of Banyan stands on.
//!
//! [`Game`] and [`Notation`] describe rules and their text, [`Player`] chooses moves within [`Limits`] and tells a
//! [`Watch`] how it gets on, [`Report`] is what comes back. [`perft`](perft()) and [`laws`] check that rules are right.
//! This crate knows no game and no search.

pub mod bits;
pub mod cpu;
mod evaluator;
mod explored;
mod game;
mod guided;
mod heuristic;
pub mod laws;
mod limits;
mod margin;
mod notation;
mod perft;
mod picture;
mod player;
mod report;
mod rng;
mod solver;

pub use evaluator::{Answer, Evaluator, Leaves, Priors, Value};
pub use explored::{Explored, ExploredEdge, ExploredNode};
pub use game::{Game, MoveCode, MoveList, Settings, Symmetry, mix};
pub use guided::{Guided, PlayoutRules, guided_by_tactics};
pub use heuristic::{FINE, Heuristic};
pub use limits::{Clock, Limits, Timer};
pub use margin::{Bounds, Margin, Side};
pub use notation::{Notation, TextError, parse_moves_by_word, play_words};
pub use perft::{perft, perft_divide};
pub use picture::{Cell, Edge, Picture};
pub use player::{Fault, Flow, Player, Silent, Situation, Watch};
pub use report::{MoveStat, Report};
pub use rng::Rng;
pub use solver::{Solution, Solver};
