//! The search on several threads: the pool they live in, and what each kind of parallelisation has them do (Chaslot, Winands and van den Herik
//! 2008): one graph for all without a lock (`shared`), a graph for each (`root`), or one graph behind a lock (`mutex`).

mod lock;
mod monitor;
pub(crate) mod mutex;
mod pool;
pub(crate) mod root;
pub(crate) mod shared;

pub(crate) use monitor::{MOST_VISITS, PROGRESS_EVERY};
