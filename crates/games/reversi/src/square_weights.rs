//! Evaluation by the squares owned, as in many programs without learned weights.

use banyan_bits::Bits;
use banyan_core::{FINE, Side};

use super::squares::square_at;
use super::{Reversi, State};

/// Rows and columns of the only supported board.
const SIDE: u32 = 8;

/// Weights of the squares of the 8x8 board.
#[derive(Clone, Debug)]
pub(super) struct SquareWeights {
    /// `[64]`: row by row from the top left.
    weights: Vec<i32>,
    /// Units of 1 / [`FINE`] disc for each weight: even the sum over all squares is less than the number of all discs.
    unit: i32,
}

impl SquareWeights {
    /// `None` if there are not 64 weights.
    pub(super) fn new(weights: &[i16]) -> Option<SquareWeights> {
        let weights: Vec<i32> = weights.iter().map(|&weight| weight.into()).collect();
        if weights.len() != (SIDE * SIDE) as usize {
            return None;
        }
        let total: i32 = weights.iter().map(|weight| weight.abs()).sum();
        Some(SquareWeights { weights, unit: ((SIDE * SIDE) as i32 * FINE / (total + 1)).max(1) })
    }

    /// The weights of the mover's squares minus those of the other side's, in 1 / [`FINE`] disc.
    pub(super) fn points<B: Bits>(&self, state: &State<B>) -> i32 {
        let sum = |discs: B| discs.ones().map(|square| self.weights[square as usize]).sum::<i32>();
        self.unit * (sum(state.own) - sum(state.other))
    }
}

impl<B: Bits> Reversi<B> {
    /// Number of corners that a side owns.
    pub fn corners(&self, state: &State<B>, side: Side) -> u32 {
        let (rows, columns) = (self.shape.rows(), self.shape.columns());
        let corners = [(0, 0), (0, columns - 1), (rows - 1, 0), (rows - 1, columns - 1)];
        let corners = corners.map(|(row, column)| square_at::<B>(row, column));
        let discs = if side == state.to_move { state.own } else { state.other };
        corners.iter().filter(|&&corner| discs.has(corner)).count() as u32
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Game, Knowledge, Notation};

    use super::*;
    use crate::{ReversiKnowledge, Shape};

    fn game() -> Reversi<u64> {
        Reversi::new(Shape::parse("8x8").expect("a shape"))
    }

    /// The position after these moves.
    fn after(game: &Reversi<u64>, moves: &str) -> State<u64> {
        let mut state = game.start();
        for text in moves.split(' ') {
            let mv = game.parse_move(&state, text).expect("a legal move");
            game.play(&mut state, mv);
        }
        state
    }

    #[test]
    fn squares_count_by_their_weights() {
        let game = game();
        let mut weights = [0; 64];
        // d3, the move of the first side, and e4, which stays with it.
        (weights[19], weights[28]) = (40, 2);
        let mut knowledge = ReversiKnowledge::with_squares(&weights).expect("64 weights");
        let unit = 64 * FINE / 43;
        assert_eq!(knowledge.static_eval(&game, &game.start()), 2 * unit);
        assert_eq!(knowledge.static_eval(&game, &after(&game, "d3")), 42 * unit);
        assert!(ReversiKnowledge::with_squares(&weights[1..]).is_none());
    }

    #[test]
    fn corners_count_for_their_owner() {
        let game = game();
        let both = |state: &State<u64>| [Side::First, Side::Second].map(|side| game.corners(state, side));
        assert_eq!(both(&game.start()), [0, 0]);
        // The second side takes the corner h8.
        let moves = "f5 f6 d3 c5 g7 e3 b5 h8";
        assert_eq!(both(&after(&game, moves)), [0, 1], "{moves}");
        assert_eq!(both(&after(&game, &format!("{moves} c4"))), [0, 1], "whoever is to move");
    }
}
