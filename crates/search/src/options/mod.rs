//! The settings of a search: one row for each, and their words.

mod choices;
mod config;
mod per_thread;
mod range;
mod renamed;
mod schedule;
mod tunable;

pub use choices::{
    EarlyStop, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, LazyMode, ModelPlayer, NodeInit, Parallel,
    PriorSource, Proof, Reuse, Reward, Scale, Selection, Structure, TieBreak, UnvisitedValue,
};
pub use config::{Config, TUNABLES};
pub use range::Range;
pub use renamed::renamed;
pub use schedule::Schedule;
pub use tunable::Tunable;
pub(crate) use tunable::{Value, conflict, default_of, no_row, tunables, words};
