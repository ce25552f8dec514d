//! Knowledge of Connect Four.

use banyan_core::{Bounds, Game, Knowledge, Mistake, MoveList, Reason};

use super::static_eval::SCALE;
use super::{ConnectFour, Grid, State};

/// Static evaluation by threats and their parity; forced moves by wins and blocks; reasons by threats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConnectFourKnowledge;

impl<B: Grid> Knowledge<ConnectFour<B>> for ConnectFourKnowledge {
    /// Threats and the parity of their rows; always less than a point, so that a proven win exceeds any evaluation.
    #[inline]
    fn static_eval(&mut self, game: &ConnectFour<B>, state: &State<B>) -> i32 {
        game.static_points(state)
    }

    fn eval_scale(&self, _game: &ConnectFour<B>) -> i32 {
        SCALE
    }

    #[inline]
    fn forced_moves(&self, game: &ConnectFour<B>, state: &State<B>, out: &mut MoveList<u8>) -> Option<Bounds> {
        game.forced_moves(state, out)
    }

    /// The forced moves; where a side can follow up to the end, with the bounds that this proves.
    #[inline]
    fn undominated(&self, game: &ConnectFour<B>, state: &State<B>, out: &mut MoveList<u8>) -> Option<Bounds> {
        game.undominated_moves(state, out)
    }

    #[inline]
    fn one_ply_moves(&self, game: &ConnectFour<B>, state: &State<B>, out: &mut MoveList<u8>) {
        game.one_ply_moves(state, out);
    }

    /// Wins, blocks, new threats, then centrality.
    #[inline]
    fn order_score(&self, game: &ConnectFour<B>, before: &State<B>, mv: u8, after: &State<B>, _depth: u32) -> i32 {
        game.order_score(before, after, game.centrality(mv))
    }

    #[inline]
    fn history_index(&self, _game: &ConnectFour<B>, mv: u8) -> u8 {
        mv
    }

    /// The cell where the stone lands.
    #[inline]
    fn move_identity(&self, game: &ConnectFour<B>, state: &State<B>, mv: u8) -> u16 {
        game.landing(state.filled).and(game.columns[usize::from(mv)]).lowest() as u16
    }

    fn reasons(&self, game: &ConnectFour<B>, state: &State<B>, mistake: &Mistake<u8>) -> Vec<Reason> {
        game.reasons(state, mistake)
    }
}
