//! The settings of a search: one row for each, and their words.

mod choices;
mod config;
mod per_thread;
mod range;
mod schedule;
mod square_weights;
mod tunable;

pub(crate) use choices::WIN_OF_FIFTY;
pub use choices::{
    EarlyStop, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, LazyMode, ModelPlayer, NodeInit, Parallel,
    PriorSource, Proof, Reuse, Reward, RootBiasAt, Scale, Selection, Structure, TieBreak, UnvisitedValue,
};
pub use config::{Config, TUNABLES};
pub use range::Range;
pub use schedule::Schedule;
pub use square_weights::SquareWeights;
pub use tunable::Tunable;
pub(crate) use tunable::{Value, conflict, default_of, no_row, set_each, tunables, words};
