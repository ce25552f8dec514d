//! Players that choose at random: the weakest opponents of every rating list.

use banyan_core::{Fault, Game, Limits, Plain, Player, Report, Rng, SearchObserver, Situation};

use crate::kit::Kit;

/// Chooses each of the [casual moves](Kit::casual_moves) of a kit with the same probability; without a kit, each legal move.
#[derive(Clone, Debug)]
pub struct Random<T = Plain> {
    rng: Rng,
    kit: T,
}

impl Random {
    /// A random player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random::with_kit(seed, Plain)
    }
}

impl<T> Random<T> {
    /// A random player among the casual moves of a kit.
    pub fn with_kit(seed: u64, kit: T) -> Random<T> {
        Random { rng: Rng::new(seed), kit }
    }
}

impl Default for Random {
    fn default() -> Random {
        Random::new(0)
    }
}

impl<G: Game, T: Kit<G>> Player<G> for Random<T> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        _observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let started = limits.timer.now();
        let mut moves = Vec::new();
        self.kit.casual_moves(at.game, at.state, &mut moves);
        let mv = moves[self.rng.below(moves.len() as u32) as usize];
        Ok(Report::bare(mv, limits.timer.since(started)))
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
