//! What searches ask about a position of Dots and Boxes move by move.

use banyan_core::bits::Bits;
use banyan_core::{Bounds, FINE, Game, Knowledge, MoveList};

use super::{DotsAndBoxes, State};

/// Boxes on offer, chains, and edges that cannot be best.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DotsAndBoxesKnowledge;

impl<B: Bits> Knowledge<DotsAndBoxes<B>> for DotsAndBoxesKnowledge {
    /// The score, boxes on offer, and the chains once they are known. Every box counts, so an evaluation is as large as a
    /// result: the default scale serves (guess, untuned).
    #[inline]
    fn static_eval(&mut self, game: &DotsAndBoxes<B>, state: &State<B>) -> i32 {
        let to_come = game.coins(state).guess() * i32::from(state.mover.sign());
        FINE * (i32::from(game.score(state).0) + to_come)
    }

    /// A box that it cannot pay to leave is taken at once, and of several edges that come to the same one is kept.
    #[inline]
    fn undominated(&self, game: &DotsAndBoxes<B>, state: &State<B>, out: &mut MoveList<u8>) -> Option<Bounds> {
        game.coins(state).undominated(out);
        None
    }

    /// Captures, safe edges, small gifts; then the centre.
    #[inline]
    fn order_score(&self, game: &DotsAndBoxes<B>, before: &State<B>, mv: u8, after: &State<B>) -> i32 {
        game.order_score(before, mv, after, game.centrality(mv))
    }

    #[inline]
    fn history_index(&self, _game: &DotsAndBoxes<B>, mv: u8) -> u8 {
        mv
    }

    /// The same for both movers, all symmetric boards, and border edges of the same box.
    #[inline]
    fn solver_key(&self, game: &DotsAndBoxes<B>, state: &State<B>) -> u64 {
        game.solver_key.of(state.drawn)
    }
}
