//! The analysis server: many positions in parallel, as JSON lines, answered in any order, modelled on KataGo's analysis
//! engine.
//!
//! A query names a game, moves or a position, and the turns to analyse:
//! `{"id":"a","game":"reversi","moves":["f5","d6"],"analyzeTurns":[0,2],"maxVisits":1000}`. Every position gets one answer,
//! the object of `banyan analyse --json` with `id`, `turnNumber` and `isDuringSearch`.

mod answer;
mod query;
mod queue;
mod server;

pub use server::{AnalysisServer, serve};
