//! A prover without the type of its game.

use std::sync::Arc;

use super::{ErasedGame, ErasedState};
use crate::{Bounds, Game, Poll, Prover};

/// A prover of `game` as a prover of the game without its type.
pub fn erase_prover<G: Game>(game: Arc<G>, prover: Box<dyn Prover<G>>) -> Box<dyn Prover<ErasedGame>> {
    Box::new(Erased { game, prover })
}

struct Erased<G> {
    game: Arc<G>,
    prover: Box<dyn Prover<G>>,
}

impl<G: Game> Prover<ErasedGame> for Erased<G> {
    fn reaches(&mut self, _game: &ErasedGame, state: &ErasedState, points: i16, poll: Poll<'_>) -> Option<Bounds> {
        self.prover.reaches(&self.game, state.typed(), points, poll)
    }

    fn guess(&mut self, _game: &ErasedGame, state: &ErasedState) -> Option<i16> {
        self.prover.guess(&self.game, state.typed())
    }

    fn refine(&mut self, _: &ErasedGame, state: &ErasedState, guess: i16, known: Bounds, poll: Poll<'_>) -> i16 {
        self.prover.refine(&self.game, state.typed(), guess, known, poll)
    }

    fn window(&self, lower: i16, upper: i16) -> Option<i16> {
        self.prover.window(lower, upper)
    }

    fn nodes(&self) -> u64 {
        self.prover.nodes()
    }

    fn forget(&mut self) {
        self.prover.forget();
    }

    fn fork(&self, thread: u32) -> Box<dyn Prover<ErasedGame>> {
        erase_prover(Arc::clone(&self.game), self.prover.fork(thread))
    }

    fn prepare_for_long_searches(&mut self) {
        self.prover.prepare_for_long_searches();
    }

    fn memory_bytes(&self) -> u64 {
        self.prover.memory_bytes()
    }
}
