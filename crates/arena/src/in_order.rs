//! Puts results back into the order of the schedule, so that decisions do not depend on timing.

use std::collections::BTreeMap;

use banyan_core::Flow;

/// Delivers results in the order of their indexes, each as soon as all before it have arrived. A decision made on them
/// depends on the schedule alone: results beyond it are ignored, whenever they arrived.
#[derive(Debug)]
pub struct InOrder<I, T> {
    expected: I,
    /// The next index to hand over; `None` after the last one or a decision.
    next: Option<u64>,
    waiting: BTreeMap<u64, T>,
    decided_at: Option<u64>,
}

impl<I: Iterator<Item = u64>, T> InOrder<I, T> {
    /// Expects these indexes, in ascending order.
    pub fn new(mut expected: I) -> InOrder<I, T> {
        let next = expected.next();
        InOrder { expected, next, waiting: BTreeMap::new(), decided_at: None }
    }

    /// Takes the result with this index, and passes every result that is now next in order to `decide`, until it
    /// returns `Stop`. Duplicates and results after the decision are dropped.
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

    /// The index at which `decide` returned `Stop`.
    pub fn decided_at(&self) -> Option<u64> {
        self.decided_at
    }

    /// Number of results that wait for earlier ones.
    pub fn n_waiting(&self) -> usize {
        self.waiting.len()
    }
}
