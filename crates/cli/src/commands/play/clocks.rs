//! The clocks of a game in the terminal. Only players are timed, not humans.

use std::time::Duration;

use banyan_catalog::Budget;
use banyan_core::{Limits, Side};

/// Remaining time of both sides, if their budgets have a game clock.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clocks {
    /// One per side.
    budgets: [Budget; 2],
    left: [Duration; 2],
}

impl Clocks {
    pub(crate) fn new(budgets: [Budget; 2]) -> Clocks {
        Clocks { budgets, left: budgets.map(|budget| budget.game.unwrap_or_default()) }
    }

    /// The limits of the next move of `side`.
    pub(crate) fn limits(&self, side: Side) -> Limits {
        self.budgets[side.index()].limits([self.left[side.index()], self.left[(!side).index()]])
    }

    /// Subtracts the time that `side` took for its move.
    pub(crate) fn spend(&mut self, side: Side, time: Duration) {
        let left = &mut self.left[side.index()];
        *left = left.saturating_sub(time) + self.budgets[side.index()].increment.unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_side_spends_its_own_time() {
        let mut clocks = Clocks::new(["10s/game".parse().expect("a budget"); 2]);
        clocks.spend(Side::First, Duration::from_secs(3));
        clocks.spend(Side::Second, Duration::from_secs(20));
        let clock = clocks.limits(Side::First).clock.expect("a clock");
        assert_eq!((clock.own.as_secs(), clock.other.as_secs()), (7, 0));
        let clock = clocks.limits(Side::Second).clock.expect("a clock");
        assert_eq!((clock.own.as_secs(), clock.other.as_secs()), (0, 7));
    }

    #[test]
    fn every_move_brings_the_increment() {
        let mut clocks = Clocks::new(["10s/game+inc=2s".parse().expect("a budget"); 2]);
        clocks.spend(Side::First, Duration::from_secs(3));
        clocks.spend(Side::First, Duration::from_secs(20));
        let clock = clocks.limits(Side::First).clock.expect("a clock");
        assert_eq!((clock.own.as_secs(), clock.other.as_secs()), (2, 10));
    }
}
