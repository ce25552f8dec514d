//! When a search is to stop.

/// Decides when a search stops.
pub(crate) trait StopCondition {
    /// After so many positions and static evaluations: the number of positions at which to check again, or `None` to
    /// stop.
    fn next_check(&mut self, nodes: u64, n_evals: u64) -> Option<u64>;
}

impl<O: StopCondition + ?Sized> StopCondition for &mut O {
    fn next_check(&mut self, nodes: u64, n_evals: u64) -> Option<u64> {
        (**self).next_check(nodes, n_evals)
    }
}
