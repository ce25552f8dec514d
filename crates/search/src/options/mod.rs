//! Everything that can be set on a search: the table of tunables, the choices they name, and which go together.

mod check;
mod choices;
mod config;
mod range;
mod schedule;
mod tunables;
mod worded;

pub use choices::{
    EarlyStop, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, Lazily, LeafValue, Model, Policy, Proof, Reuse,
    Reward, Scale, Scheme, Selection, StartValue, Structure, TieBreak,
};
pub use config::Config;
pub use range::Range;
pub use schedule::Schedule;
pub(crate) use tunables::no_row;
pub use tunables::{ALPHA_BETA_TUNABLES, TUNABLES, Tunable};
pub(crate) use worded::worded;
