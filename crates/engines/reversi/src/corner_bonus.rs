//! The reward for corners of a report on Reversi, whose presets are in the family.

use banyan_core::bits::Bits;
use banyan_core::{Answer, Evaluator, Game, Leaves, Rng, Side, Value};
use banyan_reversi::{Reversi, State};
use banyan_search::{Config, Reward};

/// The reward for a corner.
const CORNER: f32 = 10.0;

/// Whose corners on the board of the leaf count.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Corners {
    /// Those of the side that searches, for it, as the report says.
    Own,
    /// Those of both sides, each for its owner.
    Both,
}

/// Adds the reward for corners to another evaluator's.
pub(crate) struct CornerBonus<B: Bits> {
    inner: Box<dyn Evaluator<Reversi<B>>>,
    reward: Reward,
    corners: Corners,
    searching: Side,
    answers: Vec<Answer>,
}

impl<B: Bits> CornerBonus<B> {
    pub(crate) fn around(
        inner: Box<dyn Evaluator<Reversi<B>>>,
        corners: Corners,
        config: &Config,
    ) -> Box<dyn Evaluator<Reversi<B>>> {
        Box::new(CornerBonus { inner, reward: config.reward, corners, searching: Side::First, answers: Vec::new() })
    }

    /// The reward for the corners of a leaf, seen by the first side.
    fn bonus(&self, game: &Reversi<B>, state: &State<B>) -> f32 {
        let of = |side: Side| CORNER * game.corners(state, side) as f32 * f32::from(side.sign());
        let others = if self.corners == Corners::Both { of(!self.searching) } else { 0.0 };
        of(self.searching) + others
    }
}

impl<B: Bits> Evaluator<Reversi<B>> for CornerBonus<B> {
    fn evaluate(&mut self, game: &Reversi<B>, leaves: &mut Leaves<'_, Reversi<B>>, rng: &mut Rng) {
        let visits: Vec<u32> = (0..leaves.len()).map(|i| leaves.visits(i)).collect();
        self.answers.clear();
        self.answers.resize(leaves.len(), Answer::default());
        self.inner.evaluate(game, &mut Leaves::new(leaves.states(), &visits, &mut self.answers), rng);
        for (i, (answer, state)) in self.answers.iter().zip(leaves.states()).enumerate() {
            if let Value::Margin(margin) = answer.value {
                leaves.set_value(i, self.reward.of(margin) + self.bonus(game, state));
            }
        }
    }

    fn begin_search(&mut self, game: &Reversi<B>, root: &State<B>) {
        self.searching = game.to_move(root);
        self.inner.begin_search(game, root);
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<Reversi<B>>> {
        let (inner, answers) = (self.inner.fork(thread), Vec::new());
        Box::new(CornerBonus { inner, answers, ..*self })
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Margin, Notation};
    use banyan_reversi::Shape;
    use banyan_search::Config;

    use super::*;

    /// Every leaf is drawn.
    struct Drawn;

    impl<B: Bits> Evaluator<Reversi<B>> for Drawn {
        fn evaluate(&mut self, _game: &Reversi<B>, leaves: &mut Leaves<'_, Reversi<B>>, _rng: &mut Rng) {
            (0..leaves.len()).for_each(|i| leaves.set_margin(i, Margin::DRAW));
        }

        fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Reversi<B>>> {
            Box::new(Drawn)
        }
    }

    #[test]
    fn corners_of_the_searching_side_count_for_it_and_others_only_where_both_do() {
        let game: Reversi<u64> = Reversi::new(Shape::parse("8x8").expect("a shape"));
        let after = |moves: &str| {
            moves.split_whitespace().fold(game.start(), |mut state, mv| {
                let mv = game.parse_move(&state, mv).expect("a legal move");
                game.play(&mut state, mv);
                state
            })
        };
        // The second side has the corner h8.
        let leaf = after("f5 f6 d3 c5 g7 e3 b5 h8");
        let (first, second) = (after(""), after("f5"));
        let config = Config { reward: Reward::FiftyMargin, ..Config::uct() };
        for (corners, root, expected) in [
            (Corners::Own, first, 0.0),
            (Corners::Own, second, -10.0),
            (Corners::Both, first, -10.0),
            (Corners::Both, second, -10.0),
        ] {
            let mut evaluator = CornerBonus::around(Box::new(Drawn), corners, &config);
            evaluator.begin_search(&game, &root);
            for mut evaluator in [evaluator.fork(1), evaluator] {
                let mut answer = Answer::default();
                let mut leaves = Leaves::new(std::slice::from_ref(&leaf), &[0], std::slice::from_mut(&mut answer));
                evaluator.evaluate(&game, &mut leaves, &mut Rng::new(1));
                assert_eq!(answer.value, Value::Reward(expected));
            }
        }
    }
}
