//! Arrivals put back into the order of the plan, for decisions that must not depend on who was faster.

use std::collections::BTreeMap;

use banyan_core::Flow;

/// Hands over results in the order of their indexes, each as soon as all before it are there. A decision made on them
/// depends on the plan alone: what lies beyond it is not looked at, whenever it arrived.
#[derive(Debug)]
pub struct InOrder<I, T> {
    expected: I,
    /// The next index to hand over; `None` when there are no more, or enough is known.
    next: Option<u64>,
    waiting: BTreeMap<u64, T>,
    decided_at: Option<u64>,
}

impl<I: Iterator<Item = u64>, T> InOrder<I, T> {
    /// Waits for these indexes, which rise.
    pub fn new(mut expected: I) -> InOrder<I, T> {
        let next = expected.next();
        InOrder { expected, next, waiting: BTreeMap::new(), decided_at: None }
    }

    /// Takes the result with this index, and hands to `decide` every result whose turn has come, until it says `Stop`.
    /// What comes a second time, or after the decision, is dropped.
    pub fn arrive(&mut self, index: u64, result: T, mut decide: impl FnMut(u64, T) -> Flow) {
        if self.next.is_some_and(|next| index >= next) {
            self.waiting.entry(index).or_insert(result);
        }
        while let Some(next) = self.next {
            let Some(result) = self.waiting.remove(&next) else { break };
            self.next = self.expected.next();
            if decide(next, result) == Flow::Stop {
                self.decided_at = Some(next);
                self.next = None;
                self.waiting.clear();
            }
        }
    }

    /// The index at which `Stop` was said.
    pub fn decided_at(&self) -> Option<u64> {
        self.decided_at
    }

    /// Results that wait for earlier ones.
    pub fn n_waiting(&self) -> usize {
        self.waiting.len()
    }
}
