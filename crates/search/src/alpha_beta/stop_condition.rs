//! Stop conditions of a search.

/// Decides when a search stops.
pub(crate) trait StopCondition {
    /// Called after `nodes` positions and `n_evals` static evaluations: returns the number of positions at which to
    /// check again, or `None` to stop.
    fn next_check(&mut self, nodes: u64, n_evals: u64) -> Option<u64>;
}

impl<O: StopCondition + ?Sized> StopCondition for &mut O {
    fn next_check(&mut self, nodes: u64, n_evals: u64) -> Option<u64> {
        (**self).next_check(nodes, n_evals)
    }
}
