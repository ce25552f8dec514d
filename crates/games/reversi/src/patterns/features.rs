//! The pattern evaluation as features whose weights are learned.

use banyan_bits::Bits;
use banyan_inference::Features;

use super::Board;
use super::rows::contents;
use super::shapes::{PACKED, PACKED_EXTRAS, STAGE_WEIGHTS, STAGES, extras, stage};
use crate::{Reversi, State};

/// The features of positions of the 8x8 board: for each stage, the contents of each group of squares, the mobility of both sides
/// and the plies modulo four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PatternFeatures(());

impl PatternFeatures {
    /// The features on this board; `None` if it is not 8x8, in a word of 64 bits.
    pub fn of<B: Bits>(game: &Reversi<B>) -> Option<PatternFeatures> {
        game.has_patterns().then_some(PatternFeatures(()))
    }

    /// The name of the numbering.
    pub const LAYOUT: &str = "reversi-patterns-2";
}

impl<B: Bits> Features<Reversi<B>> for PatternFeatures {
    fn layout(&self) -> String {
        PatternFeatures::LAYOUT.to_owned()
    }

    fn n_weights(&self) -> usize {
        STAGES * STAGE_WEIGHTS
    }

    fn per_stage(&self) -> usize {
        STAGE_WEIGHTS
    }

    fn append(&self, game: &Reversi<B>, state: &State<B>, out: &mut Vec<u32>) {
        let board = game.pattern_board(state);
        let (stage, ply) = stage(board);
        let first = (stage * STAGE_WEIGHTS) as u32;
        contents(board, |number| out.push(first + PACKED[number]));
        extras(board, ply, |number| out.push(first + (PACKED_EXTRAS + number) as u32));
    }
}

impl<B: Bits> Reversi<B> {
    /// Whether the board has a pattern evaluation.
    #[inline(always)]
    pub(crate) fn has_patterns(&self) -> bool {
        B::WIDTH == u64::BITS && self.shape().rows() == 8 && self.shape().columns() == 8
    }

    /// A position of a board that [has patterns](Reversi::has_patterns).
    #[inline(always)]
    pub(crate) fn pattern_board(&self, state: &State<B>) -> Board {
        let mobility = [state.placements.count(), self.placements(state.other, state.own).count()];
        Board { own: state.own.low_word(), other: state.other.low_word(), mobility }
    }
}
