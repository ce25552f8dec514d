//! Parallel search: the thread pool, and each kind of parallelisation (Chaslot, Winands and van den Herik 2008): tree
//! parallelisation without a lock (`shared`) or with one (`mutex`), and root parallelisation (`root`).

mod lock;
mod monitor;
pub(crate) mod mutex;
mod pool;
pub(crate) mod root;
pub(crate) mod shared;

pub(crate) use monitor::{MOST_VISITS, PROGRESS_EVERY};
