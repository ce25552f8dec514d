//! Playouts that prefer central moves: what published reports tried, slow and plain.

use banyan_core::{Game, Margin, MoveList, Rng};

use super::search::Search;

/// A move's weight is its centrality and this: the centre of a wide board is some three times as likely as its edge, as in
/// G. Xiao's engine of 2020 (Connect4, weight distance/3 + 1).
const EVEN: u32 = 6;

impl<G: Game> Search<G> {
    /// Plays the moves that `choose` picks to the end.
    pub(super) fn playout_by(
        &mut self,
        game: &G,
        mut state: G::State,
        choose: fn(&G, &MoveList<G::Move>, &mut Rng) -> G::Move,
    ) -> Margin {
        loop {
            if let Some(margin) = game.result(&state) {
                return margin;
            }
            self.scratch.clear();
            game.moves(&state, &mut self.scratch);
            let mv = choose(game, &self.scratch, &mut self.rng);
            game.play(&mut state, mv);
        }
    }
}

/// One of the most central moves, at random.
pub(super) fn central_move<G: Game>(game: &G, moves: &MoveList<G::Move>, rng: &mut Rng) -> G::Move {
    let best = moves.iter().map(|&mv| game.centrality(mv)).max().expect("the game is not over");
    let among = || moves.iter().filter(|&&mv| game.centrality(mv) == best);
    *among().nth(rng.below(among().count() as u32) as usize).expect("one of them")
}

/// A random move, the more central the likelier.
pub(super) fn weighted_move<G: Game>(game: &G, moves: &MoveList<G::Move>, rng: &mut Rng) -> G::Move {
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

        fn margin_range(&self) -> banyan_core::Bounds {
            banyan_core::Bounds::exact(Margin(0))
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
