//! A wrapper that makes evaluations as slow as a costly playout, for studies of parallel search.

use std::time::Duration;

use banyan_core::clock::Instant;
use banyan_core::{Evaluator, Game, Leaves, Rng};

use crate::busy::wait_until;

/// An evaluator that takes at least `microseconds` for each leaf.
pub(crate) struct Delay<G: Game> {
    inner: Box<dyn Evaluator<G>>,
    microseconds: u32,
}

impl<G: Game> Delay<G> {
    pub(crate) fn new(inner: Box<dyn Evaluator<G>>, microseconds: u32) -> Delay<G> {
        Delay { inner, microseconds }
    }
}

impl<G: Game> Evaluator<G> for Delay<G> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        let end = Instant::now() + Duration::from_micros(self.microseconds.into()) * leaves.len() as u32;
        self.inner.evaluate(game, leaves, rng);
        wait_until(end);
    }

    fn inner(&self) -> Option<&dyn Evaluator<G>> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Evaluator<G>> {
        Some(&mut *self.inner)
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(Delay::new(self.inner.fork(thread), self.microseconds))
    }
}
