//! Banyan's own uniform playout, offered to the peers so that only the searches differ.

use banyan_core::cpu::{Isa, Kernel, dispatch};
use banyan_core::{Game, Margin, Rng};

/// What playouts need besides the rules.
pub struct Playouts<G: Game> {
    rng: Rng,
    scratch: Vec<G::Move>,
}

impl<G: Game> Playouts<G> {
    /// Playouts that all follow from `seed`.
    pub fn new(seed: u64) -> Playouts<G> {
        Playouts { rng: Rng::new(seed), scratch: Vec::new() }
    }

    /// Plays uniformly random moves to the end.
    pub fn play(&mut self, game: &G, state: &G::State) -> Margin {
        dispatch(One { game, state, playouts: self })
    }
}

struct One<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    playouts: &'a mut Playouts<G>,
}

impl<G: Game> Kernel for One<'_, G> {
    type Output = Margin;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Margin {
        self.game.playout(*self.state, isa, &mut self.playouts.rng, &mut self.playouts.scratch)
    }
}
