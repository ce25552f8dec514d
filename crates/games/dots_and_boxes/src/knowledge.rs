//! Knowledge of Dots and Boxes.

use banyan_core::bits::Bits;
use banyan_core::{Bounds, FINE, Game, Knowledge, MoveList};

use super::{DotsAndBoxes, State};

/// Static evaluation by boxes on offer and chains; undominated moves; move ordering; solver key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DotsAndBoxesKnowledge;

impl<B: Bits> Knowledge<DotsAndBoxes<B>> for DotsAndBoxesKnowledge {
    /// The score, boxes on offer, and the chains once they are determined. Evaluations have the magnitude of results,
    /// so the default scale is kept (guess, untuned).
    #[inline]
    fn static_eval(&mut self, game: &DotsAndBoxes<B>, state: &State<B>) -> i32 {
        let to_come = game.grid.static_points(game.undrawn(state)) * i32::from(state.mover.sign());
        FINE * (i32::from(game.score(state).0) + to_come)
    }

    /// A capture that is proven best is the only move, and of several equivalent edges one is kept.
    #[inline]
    fn undominated(&self, game: &DotsAndBoxes<B>, state: &State<B>, out: &mut MoveList<u8>) -> Option<Bounds> {
        game.undominated_edges(game.undrawn(state), out);
        None
    }

    /// Captures, safe edges, few boxes given away; then centrality.
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
