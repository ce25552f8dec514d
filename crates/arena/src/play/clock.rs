//! What time is left to both sides, and by how much a move overran it.

use std::time::Duration;

use banyan_core::{Clock, Limits, Side};

use super::Terms;

/// Time left on the game clocks, where there are any.
pub(super) struct Clocks {
    terms: Terms,
    left: [Duration; 2],
}

impl Clocks {
    pub(super) fn new(terms: Terms) -> Clocks {
        let left = terms.allowances.map(|allowance| allowance.clock.map_or(Duration::ZERO, |clock| clock.time));
        Clocks { terms, left }
    }

    /// The limits of the next move of `side`.
    pub(super) fn limits(&self, side: Side) -> Limits {
        let allowance = &self.terms.allowances[side.index()];
        let clock = allowance.clock.map(|clock| Clock {
            own: self.left[side.index()],
            other: self.left[(!side).index()],
            increment: clock.increment,
        });
        Limits { clock, timer: self.terms.timer, leeway: self.terms.leeway, ..allowance.per_move }
    }

    /// Time `side` has for its next move, if it is limited at all.
    pub(super) fn allowed(&self, side: Side) -> Option<Duration> {
        let allowance = &self.terms.allowances[side.index()];
        let left = allowance.clock.map(|_| self.left[side.index()]);
        allowance.per_move.time.into_iter().chain(left).min()
    }

    /// `side` took so long over its move, which counts.
    pub(super) fn spend(&mut self, side: Side, time: Duration) {
        if let Some(clock) = self.terms.allowances[side.index()].clock {
            let left = &mut self.left[side.index()];
            *left = left.saturating_sub(time) + clock.increment;
        }
    }
}
