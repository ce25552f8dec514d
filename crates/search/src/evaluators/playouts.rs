//! Playouts by a game's own means, one leaf after another or many at once.

use banyan_core::{Bounds, Evaluator, Game, Guided, Leaves, Margin, MoveList, PlayoutRules, Rng};

/// Uniformly random moves to the end.
pub(crate) struct UniformPlayouts<G: Game> {
    scratch: MoveList<G::Move>,
}

impl<G: Game> Default for UniformPlayouts<G> {
    fn default() -> UniformPlayouts<G> {
        UniformPlayouts { scratch: MoveList::new() }
    }
}

impl<G: Game> Evaluator<G> for UniformPlayouts<G> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        for (i, &state) in leaves.states().iter().enumerate() {
            let margin = game.playout(state, rng, &mut self.scratch);
            leaves.set_margin(i, margin);
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(UniformPlayouts::<G>::default())
    }
}

/// Playouts as the game guides them, with what they prove.
pub(crate) struct GuidedPlayouts<G: Game> {
    rules: PlayoutRules,
    ends: Vec<Guided>,
    scratch: MoveList<G::Move>,
}

impl<G: Game> GuidedPlayouts<G> {
    pub(crate) fn new(rules: PlayoutRules) -> GuidedPlayouts<G> {
        GuidedPlayouts { rules, ends: Vec::new(), scratch: MoveList::new() }
    }
}

impl<G: Game> Evaluator<G> for GuidedPlayouts<G> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        let GuidedPlayouts { rules, ends, scratch } = self;
        if let &[state] = leaves.states() {
            let Guided { margin, proven } = game.guided_playout(state, *rules, rng, scratch);
            leaves.set_margin(0, margin);
            leaves.set_bounds(0, proven);
            return;
        }
        ends.resize(leaves.len(), Guided::new(Margin::DRAW, Bounds::exact(Margin::DRAW)));
        game.guided_playouts(leaves.states(), *rules, rng, scratch, ends);
        for (i, Guided { margin, proven }) in ends.iter().enumerate() {
            leaves.set_margin(i, *margin);
            leaves.set_bounds(i, *proven);
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(GuidedPlayouts::<G>::new(self.rules))
    }
}

/// Random moves for at most so many plies, then the margin as the board stands.
pub(crate) struct CutPlayouts<G: Game> {
    plies: u32,
    /// Whether moves are those that the game's tactics leave.
    forced: bool,
    scratch: MoveList<G::Move>,
}

impl<G: Game> CutPlayouts<G> {
    pub(crate) fn new(plies: u32, forced: bool) -> CutPlayouts<G> {
        CutPlayouts { plies, forced, scratch: MoveList::new() }
    }

    fn play_out(&mut self, game: &G, mut state: G::State, rng: &mut Rng) -> Margin {
        for _ in 0..self.plies {
            let mv = if self.forced {
                self.scratch.clear();
                game.tactics(&state, &mut self.scratch);
                self.scratch[rng.below(self.scratch.len() as u32) as usize]
            } else {
                game.random_move(&state, rng, &mut self.scratch)
            };
            game.play(&mut state, mv);
            if let Some(margin) = game.result(&state) {
                return margin;
            }
        }
        game.standing(&state)
    }
}

impl<G: Game> Evaluator<G> for CutPlayouts<G> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        for (i, &state) in leaves.states().iter().enumerate() {
            let margin = self.play_out(game, state, rng);
            leaves.set_margin(i, margin);
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(CutPlayouts::<G>::new(self.plies, self.forced))
    }
}

/// Which moves a playout prefers, as published reports tried.
#[derive(Clone, Copy)]
pub(crate) enum Preference {
    /// The most central ones, at random among equals.
    MostCentral,
    /// Any, the more central the likelier.
    Weighted,
}

/// A move's weight is its centrality and this: the centre of a wide board is some three times as likely as its edge, as in
/// G. Xiao's engine of 2020 (Connect4, weight distance/3 + 1).
const EVEN: u32 = 6;

/// Playouts that prefer central moves, slow and plain.
pub(crate) struct CentralPlayouts<G: Game> {
    preference: Preference,
    scratch: MoveList<G::Move>,
}

impl<G: Game> CentralPlayouts<G> {
    pub(crate) fn new(preference: Preference) -> CentralPlayouts<G> {
        CentralPlayouts { preference, scratch: MoveList::new() }
    }

    fn play_out(&mut self, game: &G, mut state: G::State, rng: &mut Rng) -> Margin {
        loop {
            if let Some(margin) = game.result(&state) {
                return margin;
            }
            self.scratch.clear();
            game.moves(&state, &mut self.scratch);
            let mv = match self.preference {
                Preference::MostCentral => central_move(game, &self.scratch, rng),
                Preference::Weighted => weighted_move(game, &self.scratch, rng),
            };
            game.play(&mut state, mv);
        }
    }
}

impl<G: Game> Evaluator<G> for CentralPlayouts<G> {
    fn evaluate(&mut self, game: &G, leaves: &mut Leaves<'_, G>, rng: &mut Rng) {
        for (i, &state) in leaves.states().iter().enumerate() {
            let margin = self.play_out(game, state, rng);
            leaves.set_margin(i, margin);
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<G>> {
        Box::new(CentralPlayouts::<G>::new(self.preference))
    }
}

/// One of the most central moves, at random.
fn central_move<G: Game>(game: &G, moves: &MoveList<G::Move>, rng: &mut Rng) -> G::Move {
    let best = moves.iter().map(|&mv| game.centrality(mv)).max().expect("the game is not over");
    let among = || moves.iter().filter(|&&mv| game.centrality(mv) == best);
    *among().nth(rng.below(among().count() as u32) as usize).expect("one of them")
}

/// A random move, the more central the likelier.
fn weighted_move<G: Game>(game: &G, moves: &MoveList<G::Move>, rng: &mut Rng) -> G::Move {
    let weight = |mv: G::Move| EVEN + u32::from(game.centrality(mv));
    let mut left = rng.below(moves.iter().map(|&mv| weight(mv)).sum());
    let reached = moves.iter().find(|&&mv| {
        let here = left < weight(mv);
        left = left.saturating_sub(weight(mv));
        here
    });
    *reached.expect("the weights of all are drawn from")
}

#[cfg(test)]
mod tests {
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

    /// How often each move number is chosen out of 30,000.
    fn counts(choose: fn(&Rows, &MoveList<u8>, &mut Rng) -> u8) -> [u32; 7] {
        let (mut rng, mut moves, mut counts) = (Rng::new(4), Vec::new(), [0; 7]);
        Rows.moves(&(), &mut moves);
        (0..30_000).for_each(|_| counts[usize::from(choose(&Rows, &moves, &mut rng))] += 1);
        counts
    }

    #[test]
    fn only_the_most_central_moves_are_played() {
        assert_eq!(counts(central_move), [0, 0, 0, 0, 0, 0, 30_000]);
    }

    #[test]
    fn central_moves_are_played_by_their_weight() {
        // Weights 6, 7, 9 and twice 12, of 46: six standard deviations are some 400.
        let expected = [6.0, 7.0, 0.0, 9.0, 0.0, 0.0, 24.0].map(|weight: f64| weight / 46.0 * 30_000.0);
        for (n, expected) in counts(weighted_move).into_iter().zip(expected) {
            assert!((f64::from(n) - expected).abs() < 400.0, "{n} for {expected}");
        }
    }
}
