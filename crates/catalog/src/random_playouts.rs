//! The judge of openings for games in which a short search cannot judge.

use banyan_core::{Fault, Game, Limits, Player, PlayoutPolicy, Report, Rng, SearchObserver, Situation, Uniform};

/// Judges a position by the mean result of random playouts; the move it returns is the first one. The limits must be playouts.
pub(crate) struct RandomPlayouts {
    rng: Rng,
}

impl RandomPlayouts {
    pub(crate) fn new(seed: u64) -> RandomPlayouts {
        RandomPlayouts { rng: Rng::new(seed) }
    }
}

impl<G: Game> Player<G> for RandomPlayouts {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        _observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let (started, mut scratch) = (limits.timer.now(), Vec::new());
        let playouts = limits.playouts.expect("its judge is given playouts").max(1);
        let mut points: i64 = 0;
        for _ in 0..playouts {
            let margin = Uniform.play_out(at.game, at.state.clone(), &mut self.rng, &mut scratch);
            points += match margin.winner() {
                None => 0,
                Some(side) if side == at.game.to_move(at.state) => 1,
                Some(_) => -1,
            };
        }
        scratch.clear();
        at.game.moves(at.state, &mut scratch);
        let report = Report::bare(scratch[0], limits.timer.since(started));
        Ok(Report { value: points as f64 / playouts as f64, ..report })
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}
