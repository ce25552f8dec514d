//! A player that looks one ply ahead and no further.

use banyan_core::{Fault, Game, Limits, MoveStat, Player, Report, Rng, Situation, Watch};

/// Among the moves the game's `tactics` call worth looking at, takes the one after which the mover stands best: the
/// final margin where the game ends, else the margin as the board stands. Ties are broken at random.
#[derive(Clone, Debug)]
pub struct Greedy {
    rng: Rng,
}

impl Greedy {
    /// A greedy mover whose tie-breaks follow from `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy { rng: Rng::new(seed) }
    }
}

impl Default for Greedy {
    fn default() -> Greedy {
        Greedy::new(0)
    }
}

impl<G: Game> Player<G> for Greedy {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        _watch: &mut dyn Watch<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let started = limits.timer.now();
        let mut moves = Vec::new();
        at.game.tactics(at.state, &mut moves);
        self.rng.shuffle(&mut moves);
        let mut rated: Vec<(i16, G::Move)> = moves.into_iter().map(|mv| (points_after(at, mv), mv)).collect();
        // A stable sort keeps equal moves in their shuffled order.
        rated.sort_by_key(|&(points, _)| -points);
        let scale = at.game.margin_range().upper.0.max(1);
        let value = |points: i16| f64::from(points) / f64::from(scale);
        let stats = rated.iter().map(|&(points, mv)| MoveStat {
            mv,
            visits: 1,
            value: value(points),
            proof: None,
            pv: vec![mv],
        });
        let (points, best) = *rated.first().expect("a position that is not over has a move");
        Ok(Report {
            value: value(points),
            nodes: rated.len() as u64,
            moves: stats.collect(),
            ..Report::bare(best, limits.timer.since(started))
        })
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::new(seed);
    }
}

/// The margin after `mv`, final or as the board stands, seen by the side that plays it.
fn points_after<G: Game>(at: &Situation<'_, G>, mv: G::Move) -> i16 {
    let mut next = *at.state;
    at.game.play(&mut next, mv);
    let margin = at.game.result(&next).unwrap_or_else(|| at.game.standing(&next));
    margin.seen_by(at.game.to_move(at.state))
}
