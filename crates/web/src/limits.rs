//! Limits on the resources that clients use.

/// The limits of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLimits {
    /// Maximum number of threads of one search.
    pub threads: u32,
    /// Maximum memory of one search in MiB, for nodes or a table.
    pub memory_mib: u32,
    /// Maximum number of concurrent searches.
    pub searches: usize,
    /// Maximum number of viewers whose search trees are kept.
    pub sessions: usize,
    /// Number of games of a match that are played concurrently.
    pub jobs: usize,
    /// Maximum size in MiB of the recorded games of a match.
    pub match_mib: u32,
}

impl Default for ServerLimits {
    /// Threads and searches: the number of cores, at least two searches; half of the cores for matches. At most 2 GiB
    /// of trees.
    fn default() -> ServerLimits {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        ServerLimits {
            threads: cores as u32,
            memory_mib: 256,
            searches: cores.max(2),
            sessions: 8,
            jobs: (cores / 2).max(1),
            match_mib: 64,
        }
    }
}
