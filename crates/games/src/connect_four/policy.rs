//! How likely each move is the best, at a glance: the priors that PUCT begins with.
//!
//! A stone matters by what it makes of the lines through its cell, and by the cell above it, which it opens to the other
//! side. Around both the patterns of a row and of two diagonals count: three neighbours on either side, each of them a
//! stone, a cell where the next stone may land, another free cell, or out of reach, for one side and for the other. The
//! column below counts for the stone's cell only. Every pattern has a weight, found by experiments/connect-four-policy: a
//! softmax over the moves, fitted to the visits of searches.

use super::{ConnectFour, Grid, State};

/// Weights of patterns: tables, each with one for every pattern of twelve bits; then those of the rest.
static FITTED: &[u8; WEIGHTS] = include_bytes!("policy.bin");

/// Number of weights, and bytes of the file that holds them.
pub const WEIGHTS: usize = REST + 64;
/// Patterns of a table: a bit for each of six cells that says whether it is free or a stone's, but not where the next may
/// land; above them a bit each for whether it is there or a stone's.
pub const PATTERNS: usize = 1 << 12;
/// Number of tables of patterns, with which the weights begin.
pub const TABLES: usize = 10;
/// How many of them, the first ones, are of columns, where what lies above is not what lies below.
pub const UPRIGHT: usize = 2;
/// Where the table of what lies around the stone's cell begins: column, diagonal, row, each by side.
const COLUMN: usize = 0;
const DIAGONAL: usize = 2;
const ROW: usize = 4;
/// The same around the cell above.
const DIAGONAL_ABOVE: usize = 6;
const ROW_ABOVE: usize = 8;
/// Where the rest begins: by distance from the edge and stage; by free cells of the column and the board; by height; no
/// cell above.
const REST: usize = TABLES * PATTERNS;
const BY_FREE: usize = REST + 24;
const BY_HEIGHT: usize = REST + 32;
const NOTHING_ABOVE: usize = REST + 48;

/// Weights are in sixteenths of a doubling: `2^(-i / 16)`.
const SIXTEENTHS: [f32; 16] = [
    1.0,
    0.957_603_3,
    0.917_004_05,
    0.878_126_1,
    0.840_896_4,
    0.805_245_16,
    0.771_105_4,
    0.738_413_1,
    std::f32::consts::FRAC_1_SQRT_2,
    0.677_127_8,
    0.648_419_8,
    0.620_928_9,
    0.594_603_54,
    0.569_394_3,
    0.545_253_9,
    0.522_136_87,
];
/// This share of the prior is spread evenly: guess.
const EVEN: f32 = 0.1;

/// Number of weights that count for a move.
pub const FEATURES: usize = 17;

impl<B: Grid> ConnectFour<B> {
    /// The numbers of the weights that count for each move, appended in the order of `moves`: all that is known of a move
    /// when its prior is guessed. For the program that finds the weights.
    pub fn policy_features(&self, state: &State<B>, moves: &[u8], out: &mut Vec<[u16; FEATURES]>) {
        let look = Look::at(self, state);
        out.extend(moves.iter().map(|&mv| look.features(self, mv)));
    }

    /// See [`Game::priors`](banyan_core::Game::priors).
    #[inline(always)]
    pub(super) fn guess_priors(&self, state: &State<B>, moves: &[u8], out: &mut Vec<f32>) {
        let look = Look::at(self, state);
        let mut sums = [0; MOST_COLUMNS];
        for (sum, &mv) in sums.iter_mut().zip(moves) {
            *sum = look.features(self, mv).iter().map(|&i| i32::from(FITTED[usize::from(i)] as i8)).sum();
        }
        let sums = &sums[..moves.len()];
        let most = sums.iter().copied().max().unwrap_or(0);
        // Differences of a hundred doublings are as good as any more.
        let likely = |&sum: &i32| power_of_half((most - sum).min(1600) as u32);
        let total: f32 = sums.iter().map(likely).sum();
        let (share, even) = ((1.0 - EVEN) / total, EVEN / moves.len() as f32);
        out.extend(sums.iter().map(|sum| likely(sum) * share + even));
    }
}

/// No board has more.
const MOST_COLUMNS: usize = 16;

/// `2^(-n / 16)`, the same on every machine.
#[inline(always)]
fn power_of_half(n: u32) -> f32 {
    f32::from_bits((127 - n / 16) << 23) * SIXTEENTHS[n as usize % 16]
}

/// A position, ready to be looked at cell by cell.
struct Look<B> {
    planes: Planes,
    /// Where the next stone may land, and the cell above in each column.
    landing: B,
    above: B,
    free: B,
    /// Part of the number of a weight: stage, and whether the number of free cells is odd.
    stage: usize,
    odd: usize,
}

impl<B: Grid> Look<B> {
    #[inline(always)]
    fn at(game: &ConnectFour<B>, state: &State<B>) -> Look<B> {
        let landing = game.landing(state.filled);
        let free = game.valid.and_not(state.filled);
        let far = free.and_not(landing);
        let others = game.others(state);
        let planes = Planes::of([far.or(state.own), landing.or(state.own), far.or(others), landing.or(others)]);
        let above = game.landing(state.filled.or(landing));
        let stage = (4 * usize::from(state.ply) / usize::from(game.cells)).min(2);
        Look { planes, landing, above, free, stage, odd: usize::from((game.cells - state.ply) % 2) }
    }

    #[inline(always)]
    fn features(&self, game: &ConnectFour<B>, mv: u8) -> [u16; FEATURES] {
        let column = game.columns[usize::from(mv)];
        let [up, falling, level, rising] = game.steps.0.map(|step| step as u32);
        let cell = self.landing.and(column).lowest();
        let mut features = [NOTHING_ABOVE as u16; FEATURES];
        self.planes.around(cell, up, COLUMN, &mut features[0..2]);
        self.planes.around(cell, falling, DIAGONAL, &mut features[2..4]);
        self.planes.around(cell, rising, DIAGONAL, &mut features[4..6]);
        self.planes.around(cell, level, ROW, &mut features[6..8]);
        let above = self.above.and(column);
        if !above.is_empty() {
            let cell = above.lowest();
            self.planes.around(cell, falling, DIAGONAL_ABOVE, &mut features[8..10]);
            self.planes.around(cell, rising, DIAGONAL_ABOVE, &mut features[10..12]);
            self.planes.around(cell, level, ROW_ABOVE, &mut features[12..14]);
        }
        let edge = usize::from(mv).min(game.columns.len() - 1 - usize::from(mv));
        let free = self.free.and(column).count() as usize;
        let height = cell - u32::from(mv) * level;
        features[14] = (REST + edge * 3 + self.stage) as u16;
        features[15] = (BY_FREE + (free % 2) * 4 + self.odd * 2 + usize::from(free > 4)) as u16;
        features[16] = (BY_HEIGHT + height as usize) as u16;
        features
    }
}

/// Four sets of cells side by side, word by word, so that one vector holds a word of each; an empty word lies before them
/// and two behind. For either side the other free cells and its stones, and the next cells and its stones: bits of what a
/// cell is to that side, 0 out of reach, 1 free, 2 next, 3 a stone of its own.
struct Planes([[u64; 4]; 7]);

impl Planes {
    #[inline(always)]
    fn of<B: Grid>(planes: [B; 4]) -> Planes {
        let mut words = [[0; 4]; 7];
        for (i, word) in words.iter_mut().skip(1).take(B::WIDTH as usize / 64).enumerate() {
            *word = planes.map(|plane| plane.slice(64 * i as u32));
        }
        Planes(words)
    }

    /// The numbers of the patterns around a cell along one direction, for the mover and for the other side. The spare bit on
    /// top of each column is in no plane, so what lies beyond an edge lies behind something out of reach.
    #[inline(always)]
    fn around(&self, cell: u32, step: u32, table: usize, out: &mut [u16]) {
        let (before, behind) = (self.three(cell + 64 - 3 * step, step), self.three(cell + 64 + step, step));
        let mut six = [0; 4];
        for plane in 0..4 {
            six[plane] = before[plane] | behind[plane] << 3;
        }
        out[0] = (table * PATTERNS) as u16 + (six[0] | six[1] << 6) as u16;
        out[1] = ((table + 1) * PATTERNS) as u16 + (six[2] | six[3] << 6) as u16;
    }

    /// Of each plane the bit `start`, the one a step further and the next; bits count from the empty word on.
    #[inline(always)]
    fn three(&self, start: u32, step: u32) -> [u64; 4] {
        let (i, shift) = ((start / 64) as usize, start % 64);
        let (low, high) = (&self.0[i], &self.0[i + 1]);
        let mut three = [0; 4];
        for plane in 0..4 {
            let bits = low[plane] >> shift | high[plane] << 1 << (63 - shift);
            three[plane] = bits & 1 | bits >> (step - 1) & 2 | bits >> (2 * step - 2) & 4;
        }
        three
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::{Game, Rng, Side};

    use super::*;
    use crate::connect_four::{Place, Shape, Word};

    /// What a cell is to a side, read off the board one by one: 0 out of reach, 1 free, 2 next, 3 its stone.
    fn code<B: Grid>(game: &ConnectFour<B>, state: &State<B>, side: Side, (column, row): (i32, i32)) -> usize {
        let shape = game.shape();
        if !(0..shape.columns() as i32).contains(&column) || !(0..shape.rows() as i32).contains(&row) {
            return 0;
        }
        let place = Place { column: column as u32, row: row as u32 };
        match game.owner(state, place) {
            _ if shape.is_hole(place) => 0,
            Some(owner) => {
                if owner == side {
                    3
                } else {
                    0
                }
            }
            None if game.landing_place(state, place.column) == Some(place) => 2,
            None => 1,
        }
    }

    /// The pattern around a cell, what lies behind something out of reach being out of reach.
    fn pattern(code: impl Fn((i32, i32)) -> usize, cell: (i32, i32), step: (i32, i32)) -> usize {
        let at = |k: i32| code((cell.0 + k * step.0, cell.1 + k * step.1));
        let way = |sign: i32| {
            let mut reached = true;
            [1, 2, 3].map(|k| {
                let code = if reached { at(sign * k) } else { 0 };
                reached &= code != 0;
                code
            })
        };
        let ([a, b, c], [d, e, f]) = (way(-1), way(1));
        [c, b, a, d, e, f].iter().enumerate().map(|(i, code)| (code & 1) << i | (code >> 1) << (6 + i)).sum()
    }

    /// The same number without what lies behind something out of reach.
    fn reached(number: u16) -> usize {
        let (table, pattern) = (usize::from(number) / PATTERNS, usize::from(number) % PATTERNS);
        let seen = |i: usize| pattern >> i & 1 | (pattern >> (6 + i) & 1) << 1;
        let kept = |i: usize| if i < 3 { (i..3).all(|k| seen(k) != 0) } else { (3..=i).all(|k| seen(k) != 0) };
        let bits = (0..6).filter(|&i| kept(i)).map(|i| (seen(i) & 1) << i | (seen(i) >> 1) << (6 + i));
        table * PATTERNS + bits.sum::<usize>()
    }

    fn check<B: Grid>(shape: Shape, rng: &mut Rng) {
        let game = ConnectFour::<B>::new(shape);
        let mut state = game.start();
        while game.result(&state).is_none() {
            let mut moves = Vec::new();
            game.moves(&state, &mut moves);
            let mut found = Vec::new();
            game.policy_features(&state, &moves, &mut found);
            for (&mv, found) in moves.iter().zip(&found) {
                let landing = game.landing_place(&state, mv.into()).expect("a legal move");
                let (column, row) = (landing.column as i32, landing.row as i32);
                let free = |row: i32| code(&game, &state, Side::First, (column, row)) == 1;
                let above = (row + 1..game.shape().rows() as i32).find(|&row| free(row));
                let mut expected = Vec::new();
                for (cell, table, steps) in [
                    (Some(row), COLUMN, &[(0, 1)][..]),
                    (Some(row), DIAGONAL, &[(1, -1), (1, 1)]),
                    (Some(row), ROW, &[(1, 0)]),
                    (above, DIAGONAL_ABOVE, &[(1, -1), (1, 1)]),
                    (above, ROW_ABOVE, &[(1, 0)]),
                ] {
                    for &step in steps {
                        for (i, side) in [game.to_move(&state), !game.to_move(&state)].into_iter().enumerate() {
                            let number = cell.map_or(NOTHING_ABOVE, |row| {
                                let seen = |place| code(&game, &state, side, place);
                                (table + i) * PATTERNS + pattern(seen, (column, row), step)
                            });
                            expected.push(number);
                        }
                    }
                }
                let patterns: Vec<usize> = found[..14]
                    .iter()
                    .map(|&number| if usize::from(number) < REST { reached(number) } else { usize::from(number) })
                    .collect();
                assert_eq!(patterns, expected, "move {mv} of {state:?}");
                assert!((BY_HEIGHT..NOTHING_ABOVE).contains(&usize::from(found[16])));
                assert_eq!(usize::from(found[16]) - BY_HEIGHT, landing.row as usize);
            }
            game.play(&mut state, moves[rng.below(moves.len() as u32) as usize]);
        }
    }

    #[test]
    fn patterns_are_those_that_the_board_shows() {
        let mut rng = Rng::new(1);
        for options in
            ["6x7", "9x9,hole=a1", "10x12,hole=h4", "12x12,hole=g6", "12x12,hole=l12", "15x16", "5x16,hole=p5"]
        {
            let shape = Shape::parse(options).expect(options);
            for _ in 0..10 {
                match shape.word() {
                    Word::One => check::<u64>(shape.clone(), &mut rng),
                    Word::Two => check::<u128>(shape.clone(), &mut rng),
                    Word::Three => check::<[u64; 3]>(shape.clone(), &mut rng),
                    Word::Four => check::<[u64; 4]>(shape.clone(), &mut rng),
                }
            }
        }
    }

    /// What a pattern shows behind a cell out of reach must not matter: the board does not keep it from showing.
    #[test]
    fn weights_do_not_depend_on_what_is_out_of_reach() {
        assert!(FITTED.iter().filter(|&&weight| weight != 0).count() > 1000);
        for number in 0..REST {
            assert_eq!(FITTED[number], FITTED[reached(number as u16)], "weight {number}");
        }
    }

    #[test]
    fn halvings_are_exact_enough() {
        for n in [0, 1, 7, 15, 16, 17, 100, 1600] {
            let exact = 2f64.powf(-f64::from(n) / 16.0);
            assert!((f64::from(power_of_half(n)) / exact - 1.0).abs() < 1e-6, "{n}");
        }
    }
}
