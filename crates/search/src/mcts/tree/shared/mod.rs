//! One graph for several threads: the words of its nodes as atomics (`graph`, `words`, `handle_table`), the
//! thread-local copies (`node_cache`), and how the phases of a simulation reach them (`access`, `merge`).

mod access;
mod copy;
mod graph;
mod handle_table;
mod merge;
mod node_cache;
mod sync;
mod words;

pub(crate) use access::Shared;
pub(crate) use graph::SharedGraph;
pub(crate) use node_cache::NodeCache;
