//! The game's own uniform playout, for Banyan's search and for the other libraries, so that only the searches differ.

use banyan_core::{Evaluator, Game, Margin, Plain, PlayoutPolicy, Rng, TextError};
use banyan_search::{Config, Kit, playouts};

/// Playouts of a policy, all with random numbers from one seed.
pub struct Playouts<G: Game, P> {
    policy: P,
    rng: Rng,
    scratch: Vec<G::Move>,
}

impl<G: Game, P: PlayoutPolicy<G>> Playouts<G, P> {
    /// Playouts with random numbers from `seed`.
    pub fn new(policy: P, seed: u64) -> Playouts<G, P> {
        Playouts { policy, rng: Rng::new(seed), scratch: Vec::new() }
    }

    /// Plays the game to its end.
    pub fn play(&mut self, game: &G, state: &G::State) -> Margin {
        self.policy.play_out(game, state.clone(), &mut self.rng, &mut self.scratch)
    }
}

/// A game for which only these playouts are defined.
#[derive(Clone)]
pub struct PlayoutKit<P>(pub P);

impl<G: Game, P: PlayoutPolicy<G> + Sync> Kit<G> for PlayoutKit<P> {
    type Knowledge = Plain;

    fn knowledge(&self) -> Plain {
        Plain
    }

    fn evaluator(&self, name: &str, config: &Config) -> Result<Option<Box<dyn Evaluator<G>>>, TextError> {
        Ok((name == "uniform").then(|| playouts(self.0.clone(), Plain, config)))
    }
}
