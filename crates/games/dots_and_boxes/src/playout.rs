//! Uniformly random playouts.
//!
//! Every undrawn edge is always a legal move, so a random game is the edges in random order, and the mover need not be
//! tracked while they are drawn: it is enough to record which moves closed a box. The score is then computed from the
//! parity of the other moves, for up to 64 moves at once.

use banyan_bits::Bits;
use banyan_core::Rng;

use super::layout::Layout;

/// Numbers drawn from one random word of 64 bits. Four numbers below 191, 190, 189 and 188 take 30.2 bits, so that the
/// probabilities of two orders differ by at most one part in 10^10.
const DRAWS: u32 = 4;

/// Draws the edges of `undrawn` in uniformly random order; returns the boxes of the side to move minus those of its
/// opponent.
#[inline(always)]
pub(super) fn boxes_to_come<B: Bits>(layout: &Layout<B>, undrawn: B, rng: &mut Rng) -> i16 {
    let mut left = undrawn.or(B::single(Layout::<B>::NEVER));
    let mut n_left = undrawn.count();
    let mut margin = 0;
    let mut sign = 1;
    while n_left > 0 {
        let mut block = MoveBlock::default();
        let mut draw = |word: &mut u64, n_left: u32| {
            let bit = left.select_single(below(word, n_left));
            left = left.xor(bit);
            let [one, other] = layout.neighbours[usize::from(bit.lowest() as u8)].edges;
            block.add(one.and(left).is_empty(), other.and(left).is_empty());
        };
        let n_moves = n_left.min(64);
        let end = n_left - n_moves;
        while n_left >= end + DRAWS {
            let mut word = rng.next_u64();
            for i in 0..DRAWS {
                draw(&mut word, n_left - i);
            }
            n_left -= DRAWS;
        }
        if n_left > end {
            let mut word = rng.next_u64();
            for n in (end + 1..=n_left).rev() {
                draw(&mut word, n);
            }
            n_left = end;
        }
        let (gained, passed) = block.outcome(n_moves);
        margin += sign * gained;
        sign = if passed { -sign } else { sign };
    }
    margin as i16
}

/// Up to 64 moves, the last one in bit 0: whether each closed its first and its second box.
#[derive(Default)]
struct MoveBlock {
    one: u64,
    other: u64,
}

impl MoveBlock {
    #[inline(always)]
    fn add(&mut self, one: bool, other: bool) {
        self.one = self.one << 1 | u64::from(one);
        self.other = self.other << 1 | u64::from(other);
    }

    /// Boxes of the side to move before these `n_moves` moves minus those of its opponent, and whether the turn has
    /// passed.
    #[inline(always)]
    fn outcome(&self, n_moves: u32) -> (i32, bool) {
        let quiet = !(self.one | self.other) & (u64::MAX >> (64 - n_moves));
        // Bit i becomes the parity of the quiet moves up to move i: set where the opponent is to move.
        let mut opponent = quiet;
        for shift in [1, 2, 4, 8, 16, 32] {
            opponent ^= opponent >> shift;
        }
        let all = self.one.count_ones() + self.other.count_ones();
        let lost = (self.one & opponent).count_ones() + (self.other & opponent).count_ones();
        (all as i32 - 2 * lost as i32, opponent & 1 == 1)
    }
}

/// A random number below `n` from the top of `word`; the remaining bits serve the next one.
#[inline(always)]
fn below(word: &mut u64, n: u32) -> u32 {
    let product = u128::from(*word) * u128::from(n);
    *word = product as u64;
    (product >> 64) as u32
}

#[cfg(test)]
mod tests {
    use banyan_core::{Game, Margin, MoveList, PlayoutPolicy};

    use super::*;
    use crate::{DotsAndBoxes, Shape, State, UniformMoves};

    /// A playout with the same order of edges, played move by move.
    fn played_out<B: Bits>(game: &DotsAndBoxes<B>, mut state: State<B>, rng: &mut Rng) -> Margin {
        while game.result(&state).is_none() {
            let mut word = rng.next_u64();
            // A word serves four moves; a block of 64 moves ends at the end of a word.
            for _ in 0..DRAWS.min(game.undrawn(&state).count()) {
                let rank = below(&mut word, game.undrawn(&state).count());
                let edge = game.undrawn(&state).select(rank);
                game.play(&mut state, edge as u8);
            }
        }
        game.result(&state).expect("every edge is drawn")
    }

    fn check<B: Bits>(size: &str) {
        let game = DotsAndBoxes::<B>::new(Shape::parse(size).expect("a size"));
        let mut rng = Rng::new(17);
        for i in 0..400 {
            let mut state = game.start();
            for _ in 0..rng.below(u32::from(game.max_plies()) + 1) * (i % 2) {
                let mv = UniformMoves.draw(&game, &state, &mut rng, &mut MoveList::new());
                game.play(&mut state, mv);
            }
            let seed = rng.next_u64();
            let expected = played_out(&game, state, &mut Rng::new(seed));
            let found = UniformMoves.play_out(&game, state, &mut Rng::new(seed), &mut MoveList::new());
            assert_eq!(found, expected, "{size} {state:?} seed {seed}");
        }
    }

    #[test]
    fn a_playout_scores_like_its_moves_played_one_by_one() {
        check::<u64>("1x1");
        check::<u64>("5x5");
        check::<u128>("1x21");
        check::<u128>("7x7");
        check::<[u64; 3]>("8x8");
        check::<[u64; 3]>("9x9");
    }
}
