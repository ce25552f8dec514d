//! Game clocks, and by how much a move overran its time.

use std::time::Duration;

use banyan_core::{Clock, Limits, Side};

use super::Terms;

/// Time left on the game clocks, if there are any.
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

    /// Time limit of the next move of `side`, if any.
    pub(super) fn allowed(&self, side: Side) -> Option<Duration> {
        let allowance = &self.terms.allowances[side.index()];
        let left = allowance.clock.map(|_| self.left[side.index()]);
        allowance.per_move.time.into_iter().chain(left).min()
    }

    /// Charges the time of a move to the clock of `side`.
    pub(super) fn spend(&mut self, side: Side, time: Duration) {
        if let Some(clock) = self.terms.allowances[side.index()].clock {
            let left = &mut self.left[side.index()];
            *left = left.saturating_sub(time) + clock.increment;
        }
    }
}
