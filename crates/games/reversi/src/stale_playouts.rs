//! Playouts as a published engine has them: every move is drawn from the list of the leaf, not of the current position.

use banyan_core::bits::Bits;
use banyan_core::{Evaluator, Game, Leaves, Margin, MoveList, Rng};

use super::rules::difference;
use super::{Place, Reversi, State};

/// Both sides in turn place discs on random squares of the leaf's list. Where the square drawn is not legal any more, or for the other
/// side, nothing is placed; when each square of the list was drawn, the discs are counted. (That is our reading of a program that
/// draws from the list and the board of the leaf.)
#[derive(Clone, Debug, Default)]
pub struct StaleMoves {
    moves: MoveList<Place>,
}

impl StaleMoves {
    fn play_out<B: Bits>(&mut self, game: &Reversi<B>, mut state: State<B>, rng: &mut Rng) -> Margin {
        self.moves.clear();
        game.moves(&state, &mut self.moves);
        while !self.moves.is_empty() {
            if let Some(margin) = game.result(&state) {
                return margin;
            }
            let drawn = self.moves.swap_remove(rng.below(self.moves.len() as u32) as usize);
            if drawn != Place::PASS && state.placements.has(u32::from(drawn.0)) {
                game.play(&mut state, drawn);
            }
        }
        difference(state.own, state.other, state.to_move)
    }
}

impl<B: Bits> Evaluator<Reversi<B>> for StaleMoves {
    fn evaluate(&mut self, game: &Reversi<B>, leaves: &mut Leaves<'_, Reversi<B>>, rng: &mut Rng) {
        for (i, &state) in leaves.states().iter().enumerate() {
            let margin = self.play_out(game, state, rng);
            leaves.set_margin(i, margin);
        }
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Reversi<B>>> {
        Box::new(StaleMoves::default())
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::Answer;
    use banyan_core::Value;

    use super::*;
    use crate::Shape;

    #[test]
    fn only_moves_of_the_leaf_are_played() {
        let game: Reversi<u64> = Reversi::new(Shape::parse("8x8").expect("a shape"));
        let (mut evaluator, mut rng) = (StaleMoves::default(), Rng::new(1));
        let start = game.start();
        for _ in 0..200 {
            let mut answer = Answer::default();
            let mut leaves = Leaves::new(std::slice::from_ref(&start), &[0], std::slice::from_mut(&mut answer));
            evaluator.evaluate(&game, &mut leaves, &mut rng);
            // d3, c4, f5 and e6 are the list: four discs are placed at most, and of the four moves two turn discs back.
            let Value::Margin(Margin(margin)) = answer.value else { panic!("a playout has a margin") };
            assert!((-8..=8).contains(&margin), "{margin}");
        }
    }
}
