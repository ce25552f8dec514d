//! Lines of JSON for scripts: many positions at once, asked for and answered in any order, in the manner of KataGo's
//! analysis engine.
//!
//! A query names a game, moves or a position, and which of the positions on the way are to be searched:
//! `{"id":"a","game":"reversi","moves":["f5","d6"],"analyzeTurns":[0,2],"maxVisits":1000}`. Every position gets one answer,
//! the object that `banyan analyse --json` writes together with `id`, `turnNumber` and `isDuringSearch`.

mod answer;
mod query;
mod queue;
mod server;

pub use server::{AnalysisServer, serve};
