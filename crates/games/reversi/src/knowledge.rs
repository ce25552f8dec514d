//! Knowledge of Reversi.

use std::sync::Arc;

use banyan_bits::Bits;
use banyan_core::{FINE, Game, Knowledge, Margin, Mistake, Reason};

use super::depth_errors::depth_error;
use super::patterns::PatternWeights;
use super::rules::difference;
use super::square_weights::SquareWeights;
use super::{Place, Reversi, State};

/// Remaining plies from which moves are ordered by the learned evaluation, and the weight of a reply there. Tuned by the time of
/// searches of depth 14 from 24 positions: a quarter fewer positions and a fifth less time than without; weights from 0 to 96 and plies
/// from 3 to 5 are alike, and searching a reply before the evaluation costs as much as it saves.
const EVAL_FROM: u32 = 4;
const REPLY: i32 = FINE;

/// Static evaluation by learned weights of patterns if there are any, on the 8x8 board, or else by squares, mobility and stable
/// discs; move ordering by mobility; reasons by corners, mobility and parity.
#[derive(Clone, Debug, Default)]
pub struct ReversiKnowledge {
    patterns: Patterns,
}

/// The learned weights of an evaluation.
#[derive(Clone, Debug, Default)]
enum Patterns {
    /// Those of the game.
    #[default]
    Fitted,
    Own(Arc<PatternWeights>),
    None,
    /// No patterns, but weights of squares.
    Squares(Arc<SquareWeights>),
}

impl ReversiKnowledge {
    /// Evaluates positions of the 8x8 board by these weights.
    pub fn with_patterns(weights: PatternWeights) -> ReversiKnowledge {
        ReversiKnowledge { patterns: Patterns::Own(Arc::new(weights)) }
    }

    /// Evaluates positions of the 8x8 board without learned weights, like those of other boards.
    pub fn without_patterns() -> ReversiKnowledge {
        ReversiKnowledge { patterns: Patterns::None }
    }

    /// Evaluates positions of the 8x8 board by the squares owned: 64 weights, row by row from the top left; `None` for another
    /// number.
    pub fn with_squares(weights: &[i16]) -> Option<ReversiKnowledge> {
        Some(ReversiKnowledge { patterns: Patterns::Squares(Arc::new(SquareWeights::new(weights)?)) })
    }

    /// The learned weights for this board, if there are any.
    #[inline]
    pub(super) fn patterns<B: Bits>(&self, game: &Reversi<B>) -> Option<&PatternWeights> {
        match &self.patterns {
            _ if !game.has_patterns() => None,
            Patterns::Fitted => Some(PatternWeights::fitted()),
            Patterns::Own(weights) => Some(weights),
            Patterns::None | Patterns::Squares(_) => None,
        }
    }

    /// The evaluation without learned weights, for the side to move.
    fn unlearned<B: Bits>(&self, game: &Reversi<B>, state: &State<B>) -> i32 {
        match &self.patterns {
            Patterns::Squares(weights) => weights.points(state),
            _ => game.static_points(state),
        }
    }
}

impl<B: Bits> Knowledge<Reversi<B>> for ReversiKnowledge {
    /// The learned evaluation, or squares by a published table, mobility and stable discs; fitted to the final margin in discs, for
    /// both ways of counting.
    #[inline]
    fn static_eval(&mut self, game: &Reversi<B>, state: &State<B>) -> i32 {
        let points = match self.patterns(game) {
            Some(weights) => weights.eval(game.pattern_board(state)),
            None => self.unlearned(game, state),
        };
        i32::from(state.to_move.sign()) * points
    }

    /// 10 discs for the learned evaluation, by logistic regression of the results of 15,000 games on searches of depth 6 (9 to 11 in
    /// the middle of the game).
    fn eval_scale(&self, game: &Reversi<B>) -> i32 {
        if self.patterns(game).is_some() { 10 * FINE } else { game.eval_scale() }
    }

    /// Discs of `First` minus discs of `Second` on the board.
    #[inline]
    fn static_margin(&self, _game: &Reversi<B>, state: &State<B>) -> Margin {
        difference(state.own, state.other, state.to_move)
    }

    /// By the learned evaluation if a search of some depth follows; else corners, and moves that leave the other side few replies.
    #[inline]
    fn order_score(&self, game: &Reversi<B>, _before: &State<B>, mv: Place, after: &State<B>, depth: u32) -> i32 {
        match self.patterns(game) {
            Some(weights) if depth >= EVAL_FROM && mv != Place::PASS => {
                -weights.eval(game.pattern_board(after)) - REPLY * after.placements.count() as i32
            }
            _ => game.order_score(mv, after),
        }
    }

    /// The errors of the learned evaluation; `None` without it.
    #[inline]
    fn depth_error(&self, game: &Reversi<B>, state: &State<B>, shallow: u32, deep: u32) -> Option<f32> {
        self.patterns(game).map(|_| depth_error(game.plies_left(state), shallow, deep))
    }

    /// The square; a pass has its own index.
    #[inline]
    fn history_index(&self, _game: &Reversi<B>, mv: Place) -> u8 {
        mv.0
    }

    fn reasons(&self, game: &Reversi<B>, state: &State<B>, mistake: &Mistake<Place>) -> Vec<Reason> {
        game.reasons(state, mistake)
    }
}
