//! Playout evaluators and policies for any game.

use banyan_core::{
    Evaluator, Game, Knowledge, Leaves, Margin, MoveList, Playout, PlayoutPolicy, Rng, record_tactical_playout,
    tactical_playout,
};

/// Playouts to the end.
pub(crate) struct Playouts<G: Game, P> {
    policy: P,
    scratch: MoveList<G::Move>,
}

impl<G: Game, P> Playouts<G, P> {
    pub(crate) fn new(policy: P) -> Playouts<G, P> {
        Playouts { policy, scratch: MoveList::new() }
    }
}

impl<G: Game, P: PlayoutPolicy<G>> Playouts<G, P> {
    /// Evaluates with a record of the moves. Apart, so that playouts without one are compiled as if there were none.
    #[inline(never)]
    fn record(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        let Playouts { policy, scratch } = self;
        for (i, state) in leaves.states().iter().enumerate() {
            let margin = policy.record_playout(game, state.clone(), rng, scratch, leaves.played_mut(i));
            leaves.set_margin(i, margin);
        }
    }
}

impl<G: Game, P: PlayoutPolicy<G>> Evaluator<G> for Playouts<G, P> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        if leaves.records_moves() {
            return self.record(game, leaves, rng);
        }
        for (i, state) in leaves.states().iter().enumerate() {
            let margin = self.policy.play_out(game, state.clone(), rng, &mut self.scratch);
            leaves.set_margin(i, margin);
        }
    }

    fn records_moves(&self) -> bool {
        true
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(Playouts::new(self.policy.clone()))
    }
}

/// Playouts by [forced moves](Knowledge::forced_moves), with the bounds they prove.
pub(crate) struct TacticalPlayouts<G: Game, K> {
    knowledge: K,
    scratch: MoveList<G::Move>,
}

impl<G: Game, K> TacticalPlayouts<G, K> {
    pub(crate) fn new(knowledge: K) -> TacticalPlayouts<G, K> {
        TacticalPlayouts { knowledge, scratch: MoveList::new() }
    }
}

impl<G: Game, K: Knowledge<G>> TacticalPlayouts<G, K> {
    /// Evaluates with a record of the moves.
    #[inline(never)]
    fn record(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        let TacticalPlayouts { knowledge, scratch } = self;
        for (i, state) in leaves.states().iter().enumerate() {
            let Playout { margin, proven } =
                record_tactical_playout(game, knowledge, state.clone(), rng, scratch, leaves.played_mut(i));
            leaves.set_margin(i, margin);
            leaves.set_bounds(i, proven);
        }
    }
}

impl<G: Game, K: Knowledge<G> + Clone + 'static> Evaluator<G> for TacticalPlayouts<G, K> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        if leaves.records_moves() {
            return self.record(game, leaves, rng);
        }
        for (i, state) in leaves.states().iter().enumerate() {
            let Playout { margin, proven } =
                tactical_playout(game, &self.knowledge, state.clone(), rng, &mut self.scratch);
            leaves.set_margin(i, margin);
            leaves.set_bounds(i, proven);
        }
    }

    fn records_moves(&self) -> bool {
        true
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(TacticalPlayouts::new(self.knowledge.clone()))
    }
}

/// Playouts of at most `plies` plies, then the margin if the game stopped there.
pub(crate) struct CutPlayouts<G: Game, P, K> {
    policy: P,
    knowledge: K,
    plies: u32,
    scratch: MoveList<G::Move>,
}

impl<G: Game, P: PlayoutPolicy<G>, K: Knowledge<G>> CutPlayouts<G, P, K> {
    pub(crate) fn new(policy: P, knowledge: K, plies: u32) -> CutPlayouts<G, P, K> {
        CutPlayouts { policy, knowledge, plies, scratch: MoveList::new() }
    }

    fn play_out(&mut self, game: &G, mut state: G::State, rng: &mut Rng) -> Margin {
        for _ in 0..self.plies {
            let mv = self.policy.draw(game, &state, rng, &mut self.scratch);
            game.play(&mut state, mv);
            if let Some(margin) = game.result(&state) {
                return margin;
            }
        }
        self.knowledge.static_margin(game, &state)
    }
}

impl<G: Game, P: PlayoutPolicy<G>, K: Knowledge<G> + Clone + 'static> Evaluator<G> for CutPlayouts<G, P, K> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            let margin = self.play_out(game, state.clone(), rng);
            leaves.set_margin(i, margin);
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(CutPlayouts::new(self.policy.clone(), self.knowledge.clone(), self.plies))
    }
}

/// Random moves among the [forced moves](Knowledge::forced_moves).
#[derive(Clone)]
pub(crate) struct TacticalMoves<K>(pub(crate) K);

impl<G: Game, K: Knowledge<G> + Clone + 'static> PlayoutPolicy<G> for TacticalMoves<K> {
    fn draw(&mut self, game: &G, state: &G::State, rng: &mut Rng, scratch: &mut MoveList<G::Move>) -> G::Move {
        scratch.clear();
        self.0.forced_moves(game, state, scratch);
        scratch[rng.below(scratch.len() as u32) as usize]
    }
}

/// The most central moves, at random among equals.
#[derive(Clone)]
pub(crate) struct MostCentral;

impl<G: Game> PlayoutPolicy<G> for MostCentral {
    fn draw(&mut self, game: &G, state: &G::State, rng: &mut Rng, scratch: &mut MoveList<G::Move>) -> G::Move {
        scratch.clear();
        game.moves(state, scratch);
        let best = scratch.iter().map(|&mv| game.centrality(mv)).max().expect("the game is not over");
        let among = || scratch.iter().filter(|&&mv| game.centrality(mv) == best);
        *among().nth(rng.below(among().count() as u32) as usize).expect("one of them")
    }
}

/// Random moves; more central ones are likelier.
#[derive(Clone)]
pub(crate) struct WeightedByCentrality;

/// The weight of a move is its centrality plus this: the centre of a wide board is some three times as likely as its edge, as in
/// G. Xiao's engine of 2020 (Connect4, weight distance/3 + 1).
const EVEN: u32 = 6;

impl<G: Game> PlayoutPolicy<G> for WeightedByCentrality {
    fn draw(&mut self, game: &G, state: &G::State, rng: &mut Rng, scratch: &mut MoveList<G::Move>) -> G::Move {
        scratch.clear();
        game.moves(state, scratch);
        let weight = |mv: G::Move| EVEN + u32::from(game.centrality(mv));
        let mut left = rng.below(scratch.iter().map(|&mv| weight(mv)).sum());
        let reached = scratch.iter().find(|&&mv| {
            let here = left < weight(mv);
            left = left.saturating_sub(weight(mv));
            here
        });
        *reached.expect("the weights of all are drawn from")
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::Bounds;

    use super::*;

    /// Moves as central as their numbers.
    struct Rows;

    impl Game for Rows {
        type State = ();
        type Move = u8;

        fn start(&self) {}

        fn to_move(&self, (): &()) -> banyan_core::Side {
            banyan_core::Side::First
        }

        fn result(&self, (): &()) -> Option<Margin> {
            None
        }

        fn moves(&self, (): &(), out: &mut MoveList<u8>) {
            out.extend([0, 3, 6, 6, 1]);
        }

        fn play(&self, (): &mut (), _: u8) {}

        fn ply(&self, (): &()) -> u16 {
            0
        }

        fn max_plies(&self) -> u16 {
            1
        }

        fn key(&self, (): &()) -> u64 {
            0
        }

        fn margin_range(&self) -> Bounds {
            Bounds::exact(Margin(0))
        }

        fn centrality(&self, mv: u8) -> u8 {
            mv
        }
    }

    /// The number of times each move is chosen out of 30,000.
    fn counts(mut policy: impl PlayoutPolicy<Rows>) -> [u32; 7] {
        let (mut rng, mut moves, mut counts) = (Rng::new(4), Vec::new(), [0; 7]);
        (0..30_000).for_each(|_| counts[usize::from(policy.draw(&Rows, &(), &mut rng, &mut moves))] += 1);
        counts
    }

    #[test]
    fn only_the_most_central_moves_are_played() {
        assert_eq!(counts(MostCentral), [0, 0, 0, 0, 0, 0, 30_000]);
    }

    #[test]
    fn central_moves_are_played_by_their_weight() {
        // Weights 6, 7, 9 and twice 12, of 46: six standard deviations are some 400.
        let expected = [6.0, 7.0, 0.0, 9.0, 0.0, 0.0, 24.0].map(|weight: f64| weight / 46.0 * 30_000.0);
        for (n, expected) in counts(WeightedByCentrality).into_iter().zip(expected) {
            assert!((f64::from(n) - expected).abs() < 400.0, "{n} for {expected}");
        }
    }
}
