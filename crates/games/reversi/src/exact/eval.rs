//! The learned evaluation, with a shallow search: for the order of moves, a first guess of the value, and selective searches.

use banyan_core::FINE;

use super::board::{Board, NONE};
use crate::patterns::{self, PatternWeights};

/// A window that contains every evaluation.
pub(super) const ANY: (i32, i32) = (-100 * FINE, 100 * FINE);

/// The evaluation for `own`, the side to move, in 1 / [`FINE`] discs, by a search of `depth` plies.
pub(super) fn eval(
    board: &Board,
    patterns: &PatternWeights,
    (own, other): (u64, u64),
    depth: u32,
    (mut alpha, beta): (i32, i32),
) -> i32 {
    let placements = board.placements(own, other);
    if placements == 0 && board.placements(other, own) == 0 {
        return FINE * board.final_margin(own, other);
    }
    if depth == 0 {
        let mobility = [placements, board.placements(other, own)].map(u64::count_ones);
        return patterns.eval(patterns::Board { own, other, mobility });
    }
    if placements == 0 {
        return -eval(board, patterns, (other, own), depth, (-beta, -alpha));
    }
    let (mut best, mut set) = (NONE, placements);
    while set != 0 {
        // Ordering saves more than it costs from depth 2 on: corners first, then the squares that are usually good.
        let square = if depth > 1 { first(board, set) } else { set.trailing_zeros() };
        set &= !(1 << square);
        let turned = board.turned(own, other, square);
        let after = (other ^ turned, own | turned | 1 << square);
        best = best.max(-eval(board, patterns, after, depth - 1, (-beta, -alpha)));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The square of the set with the highest value.
fn first(board: &Board, set: u64) -> u32 {
    let squares = (0..u64::BITS).filter(|&square| set >> square & 1 == 1);
    squares.max_by_key(|&square| board.value[square as usize]).expect("a set with a square")
}
