//! Banyan's own uniform playout, offered to the peers so that only the searches differ.

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
        game.playout(*state, &mut self.rng, &mut self.scratch)
    }
}
