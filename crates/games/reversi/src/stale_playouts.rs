//! Playouts as a published engine has them: every move is drawn from the list of the leaf, not of the current position.

use banyan_bits::Bits;
use banyan_core::{Evaluator, Leaves, Margin, Rng};

use super::rules::difference;
use super::{Reversi, State};

/// Random draws of a playout in that engine.
const DRAWS: usize = 61;

/// Both sides in turn, also one that cannot move, draw a square from the list of the moves that they had at the leaf, and place a disc where
/// that is legal now; a side that had none passes. After 61 draws the discs are counted. (The program draws from list and board of the
/// leaf; that illegal placements leave the board unchanged is an interpretation.)
#[derive(Clone, Copy, Debug, Default)]
pub struct StaleMoves;

impl StaleMoves {
    fn play_out<B: Bits>(game: &Reversi<B>, leaf: &State<B>, rng: &mut Rng) -> Margin {
        let (mut own, mut other) = (leaf.own, leaf.other);
        let lists = [game.placements(own, other), game.placements(other, own)];
        for draw in 0..DRAWS {
            let list = lists[draw % 2];
            if !list.is_empty() {
                let square = rng.member(list);
                if game.placements(own, other).has(square) {
                    (own, other) = game.place(own, other, square);
                }
            }
            (own, other) = (other, own);
        }
        // After an odd number of draws.
        difference(own, other, !leaf.to_move)
    }
}

impl<B: Bits> Evaluator<Reversi<B>> for StaleMoves {
    fn evaluate(&mut self, game: &Reversi<B>, leaves: &mut Leaves<'_, Reversi<B>>, rng: &mut Rng) {
        for (i, state) in leaves.states().iter().enumerate() {
            leaves.set_margin(i, StaleMoves::play_out(game, state, rng));
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Reversi<B>>> {
        Box::new(StaleMoves)
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Answer, Game, Notation, Value};

    use super::*;
    use crate::Shape;

    fn margins_from(game: &Reversi<u64>, leaf: &State<u64>, n: u64) -> Vec<i16> {
        let mut rng = Rng::new(1);
        let margin = |_| {
            let mut answer = Answer::default();
            let mut leaves = Leaves::new(std::slice::from_ref(leaf), &[0], std::slice::from_mut(&mut answer));
            StaleMoves.evaluate(game, &mut leaves, &mut rng);
            let Value::Margin(Margin(margin)) = answer.value else { panic!("a playout has a margin") };
            margin
        };
        (0..n).map(margin).collect()
    }

    #[test]
    fn only_moves_that_the_sides_had_at_the_leaf_are_played() {
        let game: Reversi<u64> = Reversi::new(Shape::parse("8x8").expect("a shape"));
        let margins = margins_from(&game, &game.start(), 300);
        // d3, c4, f5 and e6 are the list of the first side; e3, f4, c5 and d6 that of the second: eight squares and the four of the
        // start are all that may hold a disc.
        assert!(margins.iter().all(|margin| margin.abs() <= 12), "{margins:?}");
        assert!(margins.iter().any(|&margin| margin > 0) && margins.iter().any(|&margin| margin < 0), "{margins:?}");
    }

    #[test]
    fn a_side_without_a_move_at_the_leaf_passes_to_the_end() {
        let game: Reversi<u64> = Reversi::new(Shape::parse("8x8").expect("a shape"));
        // The first side turns one disc by its only move; the second one has none; either side begins.
        for to_move in ["x", "o"] {
            let leaf = game.parse_position(&format!("8/8/8/3xx3/3xx3/8/8/xo6 {to_move}")).expect("a position");
            assert_eq!(margins_from(&game, &leaf, 20), [7; 20], "{to_move} to move");
        }
    }
}
