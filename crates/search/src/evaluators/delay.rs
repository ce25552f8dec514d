//! A wrapper that makes evaluations as slow as a costly playout, for studies of parallel search.

use std::time::{Duration, Instant};

use banyan_core::{Evaluator, Game, Leaves, Priors, Rng};

/// An evaluator that takes at least so long for each leaf.
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

    fn gives_priors(&self) -> Priors {
        self.inner.gives_priors()
    }

    fn priors(&mut self, game: &G, state: &G::State, moves: &[G::Move], out: &mut Vec<f32>) {
        self.inner.priors(game, state, moves, out);
    }

    fn begin_search(&mut self, game: &G, root: &G::State) {
        self.inner.begin_search(game, root);
    }

    fn has_bonus(&self) -> bool {
        self.inner.has_bonus()
    }

    fn bonus(&self, game: &G, state: &G::State) -> f32 {
        self.inner.bonus(game, state)
    }

    fn new_game(&mut self) {
        self.inner.new_game();
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(Delay::new(self.inner.fork(thread), self.microseconds))
    }
}

/// Keeps the core busy, as a playout would; a sleep would overrun.
#[cold]
pub(crate) fn wait_until(end: Instant) {
    while Instant::now() < end {
        std::hint::spin_loop();
    }
}
