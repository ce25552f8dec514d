//! Node evaluation, a linear model with more features than the static evaluation: for every free cell, the lines that
//! it would complete for either side, the side that gets it once the other columns are full, and the number of free
//! cells and the winning cells of either side below it.
//!
//! A move below a cell on which the other side wins loses. Once the rest of the board is full a side must play one, so
//! the number of free cells elsewhere determines which side gets a cell (Allis 1988, A Knowledge-Based Approach of
//! Connect-Four, chapter 3; the rule is applied here to the present position and not to rows, so holes and odd boards
//! need no special cases). The weights were fitted by `banyan train connect-four node-eval`
//! (experiments/connect-four-node-eval): a logistic regression on the results of games.

use banyan_inference::Features;

use super::static_eval::{MOST, SCALE, lines_of};
use super::{ConnectFour, Grid, State};

/// Weights, two bytes each, little-endian, in 1 / [`UNIT`] of a logit: of the side to move, of cells, of the board.
static FITTED: &[u8; 2 * WEIGHTS] = include_bytes!("node_eval.bin");

/// Number of weights.
const WEIGHTS: usize = BOARD + 256;
/// Units of a weight per logit.
pub const UNIT: i32 = 256;
/// Index of the first weight of cells, and of the board.
const CELLS: usize = 1;
const BOARD: usize = CELLS + 36 * 64;
/// A logit in units of the static evaluation: the expected result is tanh of half a logit.
const PER_LOGIT: i32 = SCALE / 2;

/// The features of positions of which the weights are fitted, the same on every board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NodeFeatures;

impl<B: Grid> Features<ConnectFour<B>> for NodeFeatures {
    fn layout(&self) -> String {
        "connect-four-node-eval-1".to_owned()
    }

    fn n_weights(&self) -> usize {
        WEIGHTS
    }

    fn append(&self, game: &ConnectFour<B>, state: &State<B>, out: &mut Vec<u32>) {
        game.for_each_feature(state, |number| out.push(number as u32));
    }
}

#[inline(always)]
fn weight(number: usize) -> i32 {
    i32::from(i16::from_le_bytes([FITTED[2 * number], FITTED[2 * number + 1]]))
}

/// Cells by the lines of one side through them without an enemy stone: cells that complete a four; cells in one line,
/// and in two or more, with two stones missing.
struct Reach<B> {
    completions: B,
    once: B,
    twice: B,
}

impl<B: Grid> ConnectFour<B> {
    /// The evaluation for the side to move, on the scale of the static evaluation.
    pub(super) fn node_eval(&self, state: &State<B>) -> i32 {
        let mut sum = 0;
        self.for_each_feature(state, |number| sum += weight(number));
        (sum * PER_LOGIT / UNIT).clamp(-MOST, MOST)
    }

    /// Calls `count` with the index of the weight of every feature; an index may repeat.
    #[inline(always)]
    fn for_each_feature(&self, state: &State<B>, mut count: impl FnMut(usize)) {
        let free = self.valid.and_not(state.filled);
        let own = self.reach(state.own, free);
        let other = self.reach(self.others(state), free);
        let n_free = usize::from(self.cells - state.ply);
        let odd = n_free & 1;
        let stride = self.shape.stride();
        // By side (own, other), the number of columns in which it is the first to get a cell that completes its four.
        let mut kept = [0usize; 2];
        count(0);
        for column in 0..self.columns.len() as u32 {
            let slice = |cells: B| cells.slice(column * stride) & ((1 << (stride - 1)) - 1);
            let mut left = slice(free);
            let sets = [own.completions, own.once, own.twice, other.completions, other.once, other.twice].map(slice);
            let elsewhere = n_free - left.count_ones() as usize;
            let (mut depth, mut below, mut is_kept) = (0, 0, false);
            while left != 0 {
                let row = left.trailing_zeros();
                left &= left - 1;
                let [own3, own1, own2, other3, other1, other2] = sets.map(|set| (set >> row & 1) as usize);
                let parity = (elsewhere + depth) & 1;
                let lines = ((own3 * 3 + own1 + own2) * 2 + other3) * 3 + other1 + other2;
                count(CELLS + (((lines * 2 + parity) * 4 + depth.min(3)) * 4 + below) * 2 + odd);
                if [own3, other3][parity] == 1 && !is_kept {
                    kept[parity] += 1;
                    is_kept = true;
                }
                below |= own3 | other3 << 1;
                depth += 1;
            }
        }
        let phase = (n_free / 20).min(7);
        count(BOARD + ((kept[0].min(3) * 4 + kept[1].min(3)) * 2 + odd) * 8 + phase);
    }

    #[inline(always)]
    fn reach(&self, stones: B, free: B) -> Reach<B> {
        let room = stones.or(free);
        let (mut once, mut twice) = (B::EMPTY, B::EMPTY);
        for step in self.steps.0.map(|step| step as u32) {
            let [a, b, c, d]: [B; 4] = std::array::from_fn(|i| stones.down(i as u32 * step));
            let two = a.and(b).and_not(c.or(d)).or(c.and(d).and_not(a.or(b))).or(a.xor(b).and(c.xor(d)));
            let line = lines_of(room, step).and(two);
            for i in 0..4 {
                let cells = line.up(i * step);
                twice = twice.or(once.and(cells));
                once = once.or(cells);
            }
        }
        Reach { completions: self.completions(stones), once: once.and(free), twice: twice.and(free) }
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Game, Rng, Side};

    use super::*;
    use crate::{Place, Shape, Word};

    /// Whether the cells of a line are on the board, and how many stones either side has on it.
    fn line<B: Grid>(game: &ConnectFour<B>, state: &State<B>, cells: [(i32, i32); 4]) -> Option<[usize; 2]> {
        let (mut stones, shape) = ([0; 2], game.shape());
        for (column, row) in cells {
            let is_on = (0..shape.columns() as i32).contains(&column) && (0..shape.rows() as i32).contains(&row);
            let place = Place { column: column as u32, row: row as u32 };
            if !is_on || shape.is_hole(place) {
                return None;
            }
            if let Some(owner) = game.owner(state, place) {
                stones[usize::from(owner != game.to_move(state))] += 1;
            }
        }
        Some(stones)
    }

    /// The features by plain code, cell by cell and line by line.
    fn read<B: Grid>(game: &ConnectFour<B>, state: &State<B>) -> Vec<usize> {
        let (shape, mut numbers, mut kept) = (game.shape(), vec![0], [0; 2]);
        let is_free = |&place: &Place| !shape.is_hole(place) && game.owner(state, place).is_none();
        let all: Vec<Place> = shape.places().filter(is_free).collect();
        for column in 0..shape.columns() {
            let mut here: Vec<Place> = all.iter().copied().filter(|place| place.column == column).collect();
            here.sort_by_key(|place| place.row);
            let (mut below, mut first_kept) = ([0; 2], None);
            for (depth, place) in here.iter().enumerate() {
                let (mut completes, mut lines) = ([0; 2], [0; 2]);
                for (dx, dy) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    for start in -3..=0 {
                        let cell =
                            |k: i32| (place.column as i32 + (start + k) * dx, place.row as i32 + (start + k) * dy);
                        let Some(stones) = line(game, state, [0, 1, 2, 3].map(cell)) else { continue };
                        for side in 0..2 {
                            if stones[1 - side] == 0 {
                                completes[side] |= usize::from(stones[side] == 3);
                                lines[side] += usize::from(stones[side] == 2);
                            }
                        }
                    }
                }
                // If the other columns are filled first, the side of this index moves here.
                let by = (all.len() - here.len() + depth) % 2;
                let mut number = 0;
                for (of, digit) in [
                    (2, completes[0]),
                    (3, lines[0].min(2)),
                    (2, completes[1]),
                    (3, lines[1].min(2)),
                    (2, by),
                    (4, depth.min(3)),
                    (4, below[0] + 2 * below[1]),
                    (2, all.len() % 2),
                ] {
                    number = number * of + digit;
                }
                numbers.push(CELLS + number);
                if completes[by] == 1 {
                    first_kept.get_or_insert(by);
                }
                (0..2).for_each(|side| below[side] |= completes[side]);
            }
            if let Some(by) = first_kept {
                kept[by] += 1;
            }
        }
        let board = [(4, kept[0].min(3)), (4, kept[1].min(3)), (2, all.len() % 2), (8, (all.len() / 20).min(7))];
        numbers.push(BOARD + board.iter().fold(0, |number, &(of, digit)| number * of + digit));
        numbers
    }

    fn check<B: Grid>(shape: Shape, rng: &mut Rng) {
        let game = ConnectFour::<B>::new(shape);
        let mut state = game.start();
        while game.result(&state).is_none() {
            let mut found = Vec::new();
            game.for_each_feature(&state, |number| found.push(number));
            assert_eq!(found, read(&game, &state), "{state:?}");
            let sum: i32 = found.iter().map(|&number| weight(number)).sum();
            let expected = (f64::from(sum) / f64::from(UNIT) / 2.0).tanh();
            let first = if game.to_move(&state) == Side::First { expected } else { -expected };
            let eval = i32::from(game.to_move(&state).sign()) * game.node_eval(&state);
            let expected = (f64::from(eval) / f64::from(SCALE)).tanh();
            assert!((expected - first).abs() < 0.05, "{expected} for {first}");
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
    }

    #[test]
    fn features_agree_with_plain_code() {
        let mut rng = Rng::new(4);
        for options in
            ["4x4", "6x7", "9x9,hole=a1", "10x12,hole=h4", "12x12,hole=g6", "12x12,hole=l12", "15x16", "5x16,hole=p5"]
        {
            let shape = Shape::parse(options).expect(options);
            for _ in 0..6 {
                match shape.word() {
                    Word::One => check::<u64>(shape.clone(), &mut rng),
                    Word::Two => check::<u128>(shape.clone(), &mut rng),
                    Word::Three => check::<[u64; 3]>(shape.clone(), &mut rng),
                    Word::Four => check::<[u64; 4]>(shape.clone(), &mut rng),
                }
            }
        }
    }
}
