//! When a search is to stop.

/// Decides how long a search goes on.
pub(super) trait StopCondition {
    /// After so many positions and guesses: the number of positions at which to ask again, or `None` to stop.
    fn ask_again_at(&mut self, nodes: u64, guesses: u64) -> Option<u64>;
}

impl<O: StopCondition + ?Sized> StopCondition for &mut O {
    fn ask_again_at(&mut self, nodes: u64, guesses: u64) -> Option<u64> {
        (**self).ask_again_at(nodes, guesses)
    }
}
