//! Settings of parallel search: conflicts with each kind of parallelisation, and the share of each thread.

use banyan_core::TextError;

use super::choices::{ExpansionWidth, Parallel};
use super::config::Config;
use super::published::LazyMode;
use super::tunable::conflict;

impl Config {
    /// The first conflict of a setting with the kind of parallelisation.
    pub(super) fn parallel_conflict(&self) -> Option<TextError> {
        if self.threads == 1 {
            return None;
        }
        match self.parallel {
            Parallel::Root => self.too_little_memory(self.threads, "a MiB for each graph"),
            Parallel::Tree => self.conflict_with_tree(),
            Parallel::Mutex => self.conflict_with_mutex(),
        }
    }

    fn in_parallel(&self, excluded: bool, needed: &str, remedy: &str) -> Option<TextError> {
        conflict(excluded, format!("parallel={},threads={}", self.parallel.word(), self.threads), needed, remedy)
    }

    fn too_little_memory(&self, mib: u32, why: &str) -> Option<TextError> {
        let needed = format!("memory-mib={mib} or more with it, {why}");
        self.in_parallel(self.memory_mib < mib, &needed, &format!("try memory-mib={mib}"))
    }

    fn conflict_with_tree(&self) -> Option<TextError> {
        let resamples = self.lazy_expansion > 0.0 && self.lazy_mode == LazyMode::Resample;
        let needed = "lazy-mode=descend with it, for a child evaluated again would have to be shared at once";
        self.in_parallel(resamples, needed, "add lazy-mode=descend")
            .or_else(|| self.too_little_memory(self.threads + 1, "a MiB for the graph and one for each thread's cache"))
    }

    fn conflict_with_mutex(&self) -> Option<TextError> {
        let needed = "batch=1 with it, for each thread takes one leaf at a time";
        let expands_all = self.expand != ExpansionWidth::One;
        self.in_parallel(self.batch > 1, needed, "leave batch out").or_else(|| {
            let needed = "expand=one with it, for one thread would evaluate all children";
            self.in_parallel(expands_all, needed, "add expand=one")
        })
    }

    /// The number of searchers: threads with their own graph or their own evaluator.
    pub(crate) fn n_searchers(&self) -> u32 {
        match self.parallel {
            _ if self.threads == 1 => 1,
            Parallel::Root => self.threads,
            Parallel::Mutex | Parallel::Tree => self.threads + 1,
        }
    }

    /// The settings of searcher `number`, with its share of the memory.
    pub(crate) fn share(&self, number: u32) -> Config {
        let memory_mib = match self.parallel {
            Parallel::Root => (self.memory_mib / self.threads).max(1),
            Parallel::Tree if number == 0 && self.threads > 1 => self.memory_mib - self.threads * self.node_cache_mib(),
            Parallel::Tree | Parallel::Mutex if number == 0 => self.memory_mib,
            // A thread that only evaluates has no nodes, and node caches have their own limit.
            Parallel::Tree | Parallel::Mutex => 1,
        };
        Config { memory_mib, ..self.clone() }
    }

    /// MiB of a thread's node cache: an eighth of a thread's share, up to a size that holds the top of any graph.
    /// Guess, untuned.
    pub(crate) fn node_cache_mib(&self) -> u32 {
        (self.memory_mib / (8 * self.threads)).clamp(1, 16)
    }
}
