//! The settings of a search: one row for each, and their words.

mod choices;
mod config;
mod per_thread;
mod published;
mod range;
mod schedule;
mod square_weights;
mod techniques;
mod tunable;

pub(crate) use choices::WIN_OF_FIFTY;
pub use choices::{
    EarlyStop, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, NodeInit, Parallel, PriorSource, Proof, Reuse,
    Reward, Scale, Selection, Structure, TieBreak, UnvisitedValue,
};
pub use config::{Config, TUNABLES};
pub use published::{LazyMode, ModelPlayer, RootBiasAt, printed_rows};
pub(crate) use published::{Locking, with_published_alpha_beta_rows, with_published_rows};
pub use range::Range;
pub use schedule::Schedule;
pub use square_weights::SquareWeights;
pub use techniques::{Amaf, PendingVisits, RootSearch};
pub use tunable::Tunable;
pub(crate) use tunable::{Value, conflict, default_of, no_row, set_each, tunables, words};
