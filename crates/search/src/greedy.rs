//! A one-ply greedy player.

use banyan_core::{
    Fault, Game, Knowledge, Limits, MoveStat, Plain, Player, Report, Rng, SearchObserver, Situation, sort_by_order,
};

/// Among the [forced moves](Knowledge::forced_moves), plays the one with the best margin for the mover: the final
/// margin if the game ends, else the [static margin](Knowledge::static_margin). Ties are broken at random.
#[derive(Clone, Debug)]
pub struct Greedy<K = Plain> {
    rng: Rng,
    knowledge: K,
}

impl Greedy {
    /// A greedy player whose tie-breaks follow from `seed`.
    pub fn new(seed: u64) -> Greedy {
        Greedy::with_knowledge(seed, Plain)
    }
}

impl<K> Greedy<K> {
    /// A greedy player with game knowledge, whose tie-breaks follow from `seed`.
    pub fn with_knowledge(seed: u64, knowledge: K) -> Greedy<K> {
        Greedy { rng: Rng::new(seed), knowledge }
    }
}

impl Default for Greedy {
    fn default() -> Greedy {
        Greedy::new(0)
    }
}

impl<G: Game, K: Knowledge<G>> Player<G> for Greedy<K> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        _observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let started = limits.timer.now();
        let mut moves = Vec::new();
        self.knowledge.forced_moves(at.game, at.state, &mut moves);
        self.rng.shuffle(&mut moves);
        let mut rated: Vec<(i16, G::Move)> =
            moves.into_iter().map(|mv| (points_after(at, &self.knowledge, mv), mv)).collect();
        // A stable sort keeps equal moves in their shuffled order.
        sort_by_order(&mut rated, |a, b| a.0 > b.0);
        let scale = at.game.margin_range().upper.0.max(1);
        let value = |points: i16| f64::from(points) / f64::from(scale);
        let stats = rated.iter().map(|&(points, mv)| MoveStat {
            mv,
            visits: 1,
            value: value(points),
            margin: None,
            is_bound: false,
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

/// The margin after `mv`, final or static, seen by the side that plays it.
fn points_after<G: Game>(at: &Situation<'_, G>, knowledge: &impl Knowledge<G>, mv: G::Move) -> i16 {
    let mut next = at.state.clone();
    at.game.play(&mut next, mv);
    let margin = at.game.result(&next).unwrap_or_else(|| knowledge.static_margin(at.game, &next));
    margin.seen_by(at.game.to_move(at.state))
}
