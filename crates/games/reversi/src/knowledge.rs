//! Knowledge of Reversi.

use banyan_core::bits::Bits;
use banyan_core::{Knowledge, Margin};

use super::rules::difference;
use super::{Place, Reversi, State};

/// Static evaluation by squares, mobility and stable discs; move ordering by mobility.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReversiKnowledge;

impl<B: Bits> Knowledge<Reversi<B>> for ReversiKnowledge {
    /// Squares by a published table, mobility and stable discs; fitted to the final margin in discs, for both ways of
    /// counting.
    #[inline]
    fn static_eval(&mut self, game: &Reversi<B>, state: &State<B>) -> i32 {
        i32::from(state.to_move.sign()) * game.static_points(state)
    }

    fn eval_scale(&self, game: &Reversi<B>) -> i32 {
        game.eval_scale()
    }

    /// Discs of `First` minus discs of `Second` on the board.
    #[inline]
    fn static_margin(&self, _game: &Reversi<B>, state: &State<B>) -> Margin {
        difference(state.own, state.other, state.to_move)
    }

    /// Corners, and moves that leave the other side few replies.
    #[inline]
    fn order_score(&self, game: &Reversi<B>, _before: &State<B>, mv: Place, after: &State<B>) -> i32 {
        game.order_score(mv, after)
    }

    /// The square; a pass has its own index.
    #[inline]
    fn history_index(&self, _game: &Reversi<B>, mv: Place) -> u8 {
        mv.0
    }
}
