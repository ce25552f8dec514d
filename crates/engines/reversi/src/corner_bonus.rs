//! The reward for corners of the engine of a published report on Reversi; `report` has its presets.

use banyan_bits::Bits;
use banyan_core::{Evaluator, Game, Leaves, Rng, Side};
use banyan_reversi::{Reversi, State};

/// The reward for a corner.
const CORNER: f32 = 10.0;

/// Sides whose corners count on the board of the leaf.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Corners {
    /// Corners of the searching side count for it, as in the report.
    Own,
    /// Corners of both sides count, each for its owner.
    Both,
}

/// Adds the reward for corners to another evaluator's.
pub(crate) struct CornerBonus<B: Bits> {
    inner: Box<dyn Evaluator<Reversi<B>>>,
    corners: Corners,
    searching: Side,
}

impl<B: Bits> CornerBonus<B> {
    pub(crate) fn around(inner: Box<dyn Evaluator<Reversi<B>>>, corners: Corners) -> Box<dyn Evaluator<Reversi<B>>> {
        Box::new(CornerBonus { inner, corners, searching: Side::First })
    }
}

impl<B: Bits> Evaluator<Reversi<B>> for CornerBonus<B> {
    fn evaluate(&mut self, game: &Reversi<B>, leaves: &mut Leaves<'_, Reversi<B>>, rng: &mut Rng) {
        self.inner.evaluate(game, leaves, rng);
    }

    fn inner(&self) -> Option<&dyn Evaluator<Reversi<B>>> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Evaluator<Reversi<B>>> {
        Some(&mut *self.inner)
    }

    fn begin_search(&mut self, game: &Reversi<B>, root: &State<B>) {
        self.searching = game.to_move(root);
        self.inner.begin_search(game, root);
    }

    fn has_bonus(&self) -> bool {
        true
    }

    fn bonus(&self, game: &Reversi<B>, state: &State<B>) -> f32 {
        let of = |side: Side| CORNER * game.corners(state, side) as f32 * f32::from(side.sign());
        let others = if self.corners == Corners::Both { of(!self.searching) } else { 0.0 };
        of(self.searching) + others
    }

    fn fork(&self, thread: u32) -> Box<dyn Evaluator<Reversi<B>>> {
        Box::new(CornerBonus { inner: self.inner.fork(thread), ..*self })
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Limits, Notation, Player, Silent, Situation};
    use banyan_reversi::Shape;
    use banyan_search::{Config, Mcts};

    use super::*;
    use crate::kit::ReversiKit;

    fn game() -> Reversi<u64> {
        Reversi::new(Shape::parse("8x8").expect("a shape"))
    }

    fn after(game: &Reversi<u64>, moves: &str) -> State<u64> {
        moves.split_whitespace().fold(game.start(), |mut state, mv| {
            let mv = game.parse_move(&state, mv).expect("a legal move");
            game.play(&mut state, mv);
            state
        })
    }

    #[test]
    fn corners_of_the_searching_side_count_for_it_and_others_only_where_both_do() {
        let game = game();
        // The second side has the corner h8.
        let leaf = after(&game, "f5 f6 d3 c5 g7 e3 b5 h8");
        let (first, second) = (after(&game, ""), after(&game, "f5"));
        for (corners, root, expected) in [
            (Corners::Own, first, 0.0),
            (Corners::Own, second, -10.0),
            (Corners::Both, first, -10.0),
            (Corners::Both, second, -10.0),
        ] {
            let inner = banyan_search::playouts(
                banyan_reversi::UniformMoves,
                banyan_reversi::ReversiKnowledge::default(),
                &Config::uct(),
            );
            let mut evaluator = CornerBonus::around(inner, corners);
            evaluator.begin_search(&game, &root);
            for evaluator in [evaluator.fork(1), evaluator] {
                assert!(evaluator.has_bonus());
                assert_eq!(evaluator.bonus(&game, &leaf), expected);
            }
        }
    }

    #[test]
    fn corners_count_also_where_the_game_is_over_at_the_leaf() {
        let game = game();
        // The first side fills the last square, has four corners then, and wins by 4 discs.
        let text = "xxxxxxxx/xxxxxxxx/oooooooo/oooooooo/oooooooo/oooooooo/oooooooo/xooooo1x x";
        let state = game.parse_position(text).expect("a position");
        for (eval, expected) in [("uniform", 54.0 / 114.0), ("corners", (54.0 + 40.0) / 114.0)] {
            let mut config = Config::uct();
            for (name, value) in [("reward", "50+margin"), ("eval", eval), ("expand-at", "1"), ("reuse", "none")] {
                config.set(name, value).expect("a row");
            }
            let mut player = Mcts::with_kit(config, &ReversiKit::default()).expect("settings that go together");
            let at = Situation { game: &game, start: &state, played: &[], state: &state };
            let report = player.choose(&at, &Limits::playouts(4), &mut Silent).expect("it does not fail");
            assert!((report.moves[0].value - expected).abs() < 1e-3, "{eval}: {}", report.moves[0].value);
        }
    }
}
