//! Players that choose at random: the weakest opponents of every rating list.

use banyan_core::{Fault, Game, Limits, Player, Report, Rng, SearchObserver, Situation, random_move};

use crate::kit::Kit;

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

/// Chooses at random among the [casual moves](Kit::casual_moves) of a kit.
pub struct Casual<T> {
    rng: Rng,
    kit: T,
}

impl<T> Casual<T> {
    /// A player whose choices follow from `seed`.
    pub fn new(seed: u64, kit: T) -> Casual<T> {
        Casual { rng: Rng::new(seed), kit }
    }
}

impl<G: Game, T: Kit<G>> Player<G> for Casual<T> {
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
