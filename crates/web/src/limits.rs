//! Limits of what visitors use of the machine.

/// The limits of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerLimits {
    /// Most threads of one search.
    pub threads: u32,
    /// Most MiB of memory of one search, of nodes or of a table.
    pub memory_mib: u32,
    /// Most searches at a time.
    pub searches: usize,
    /// Most viewers whose search trees are kept.
    pub sessions: usize,
    /// Games of a match that are played at a time.
    pub jobs: usize,
    /// Most MiB of the record of a match's games.
    pub match_mib: u32,
}

impl Default for ServerLimits {
    /// As many threads and searches as the machine has cores, two searches at least; half of the cores for matches. At most 2 GiB of
    /// trees.
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
