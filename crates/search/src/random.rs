//! A player that chooses uniformly at random: the weakest opponent of every rating list.

use banyan_core::{Fault, Game, Limits, Player, Report, Rng, SearchObserver, Situation, random_move};

/// Chooses every legal move with the same probability.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// A random player whose choices follow from `seed`.
    pub fn new(seed: u64) -> Random {
        Random { rng: Rng::new(seed) }
    }
}

impl Default for Random {
    fn default() -> Random {
        Random::new(0)
    }
}

impl<G: Game> Player<G> for Random {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        _observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let started = limits.timer.now();
        let mv = random_move(at.game, at.state, &mut self.rng, &mut Vec::new());
        Ok(Report::bare(mv, limits.timer.since(started)))
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
