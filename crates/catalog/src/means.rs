//! The resources of a solver.

/// The resources of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Means {
    /// Maximum size of the transposition table in MiB, at least 1.
    pub table_mib: u32,
    /// Search threads, at least 1.
    pub threads: u32,
}
