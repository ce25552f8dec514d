//! Playouts of Dots and Boxes.

use banyan_bits::Bits;
use banyan_core::{Evaluator, Game, Leaves, Margin, MoveList, PlayoutPolicy, Rng};

use super::{DotsAndBoxes, State, playout, tactical_playout};

/// Uniformly random moves, drawn from the set of undrawn edges without a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UniformMoves;

impl<B: Bits> PlayoutPolicy<DotsAndBoxes<B>> for UniformMoves {
    #[inline]
    fn draw(&mut self, game: &DotsAndBoxes<B>, state: &State<B>, rng: &mut Rng, _: &mut MoveList<u8>) -> u8 {
        rng.member(game.undrawn(state)) as u8
    }

    #[inline]
    fn play_out(&mut self, game: &DotsAndBoxes<B>, state: State<B>, rng: &mut Rng, _: &mut MoveList<u8>) -> Margin {
        let future = playout::boxes_to_come(&game.layout, game.undrawn(&state), rng);
        game.score(&state) + Margin::won_by(state.mover, future)
    }
}

/// Playouts that take every box on offer and else draw safe edges while there are any. Such a line proves no bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TacticalPlayouts;

impl<B: Bits> Evaluator<DotsAndBoxes<B>> for TacticalPlayouts {
    fn evaluate(&mut self, game: &DotsAndBoxes<B>, leaves: &mut Leaves<'_, DotsAndBoxes<B>>, rng: &mut Rng) {
        let records_moves = leaves.records_moves();
        for (i, state) in leaves.states().iter().enumerate() {
            let margin = if records_moves {
                game.record_tactical_playout(state, rng, leaves.played_mut(i))
            } else {
                game.tactical_playout(state, rng)
            };
            leaves.set_margin(i, margin);
        }
    }

    fn records_moves(&self) -> bool {
        true
    }

    fn fork(&self, _thread: u32) -> Box<dyn Evaluator<DotsAndBoxes<B>>> {
        Box::new(*self)
    }
}

impl<B: Bits> DotsAndBoxes<B> {
    /// The final margin of one such playout; for a game that is over, its result.
    #[inline]
    pub fn tactical_playout(&self, state: &State<B>, rng: &mut Rng) -> Margin {
        let future = tactical_playout::boxes_to_come(&self.layout, self.undrawn(state), rng, |_| ());
        self.score(state) + Margin::won_by(state.mover, future)
    }

    /// The same, with the same draws; its moves are appended to `played`.
    #[inline(never)]
    pub fn record_tactical_playout(&self, state: &State<B>, rng: &mut Rng, played: &mut MoveList<u8>) -> Margin {
        let record = |edge| played.push(edge as u8);
        let future = tactical_playout::boxes_to_come(&self.layout, self.undrawn(state), rng, record);
        self.score(state) + Margin::won_by(state.mover, future)
    }
}
