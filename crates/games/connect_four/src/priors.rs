//! Priors for PUCT: the probability that each move is the best, without search.
//!
//! A stone affects the lines through its cell and through the cell above it, which becomes available to the other side.
//! The features of a move are the patterns around both cells along the row and the two diagonals: three neighbours on
//! either side, each of them a stone, a cell where the next stone may land, another free cell, or out of reach, for one
//! side and for the other. The column is a feature of the stone's cell only.
//!
//! Every pattern has a row of weights. The rows of a move's features are summed. One lane of the sum is added to the
//! score directly; the others are hidden units, to which a linear map of the mean hidden units of all moves is added.
//! So this is a small network, shared by the moves, with the other moves as context. The priors are a softmax over the
//! scores, fitted to the visits of searches by `banyan train connect-four priors` (experiments/connect-four-priors).

use banyan_core::MoveFeatures;

use super::{ConnectFour, Grid, State};

/// Rows of weights, signed bytes: those of the patterns, of the other features, and the network's own.
static FITTED: &[u8; ROWS * LANES] = include_bytes!("priors.bin");

/// Weights of a row. Lane 0 is the direct part of the score, the others are hidden units.
const LANES: usize = 16;
/// Number of rows: those of features, then the network's own.
const ROWS: usize = SCORES + 1;
/// Number of rows of features, some of them unused.
const FEATURE_ROWS: usize = REST + 64;
/// The row of biases, the initial values of the lanes.
const BIAS: usize = FEATURE_ROWS;
/// The first of [`LANES`] rows with the weights from a unit's mean over the moves to every unit; that of lane 0 is
/// unused.
const MIXED: usize = BIAS + 1;
/// The row of the weights of every lane in the score.
const SCORES: usize = MIXED + LANES;
/// Fixed point scale of a unit's mean times a weight of `MIXED`, in bits.
const MIXED_BITS: u32 = 6;
/// Fixed point scale of a lane times its weight of `SCORES`, in bits; the unit of the result is a sixteenth of a
/// doubling.
const SCORE_BITS: u32 = 7;
/// Additional bits of means, and of the units that they are added to, compared with the lanes.
const FINER_BITS: u32 = 3;

/// Number of states of the three cells from a cell in one direction, where cells behind one out of reach do not count.
const WAYS: usize = 40;
/// Patterns of a table for columns, where the two directions are distinguished.
const UPRIGHT: usize = WAYS * WAYS;
/// Patterns of the other tables, where they are not.
const EITHER_WAY: usize = WAYS * (WAYS + 1) / 2;
/// First row of the tables of patterns around the stone's cell: column, diagonal, row; each is followed by that of the
/// other side.
const COLUMN: usize = 0;
const DIAGONAL: usize = 2 * UPRIGHT;
const ROW: usize = DIAGONAL + 2 * EITHER_WAY;
/// First row of the tables of patterns around the cell above.
const DIAGONAL_ABOVE: usize = ROW + 2 * EITHER_WAY;
const ROW_ABOVE: usize = DIAGONAL_ABOVE + 2 * EITHER_WAY;
/// First rows of the other features: distance from the edge and phase; free cells of the column and of the board;
/// height; no cell above.
const REST: usize = ROW_ABOVE + 2 * EITHER_WAY;
const BY_FREE: usize = REST + 24;
const BY_HEIGHT: usize = REST + 32;
const NOTHING_ABOVE: usize = REST + 48;

/// Scores are in sixteenths of a doubling: `2^(-i / 16)`.
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
/// The share of the priors that is uniform (guess, untuned).
const EVEN: f32 = 0.1;

/// Number of features of a move.
const FEATURES: usize = 17;

/// The features of moves of which the rows of weights are fitted, the same on every board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PriorFeatures;

impl<B: Grid> MoveFeatures<ConnectFour<B>> for PriorFeatures {
    fn layout(&self) -> String {
        "connect-four-priors-1".to_owned()
    }

    fn n_features(&self) -> usize {
        FEATURE_ROWS
    }

    fn per_move(&self) -> usize {
        FEATURES
    }

    fn lanes(&self) -> usize {
        LANES
    }

    fn append(&self, game: &ConnectFour<B>, state: &State<B>, moves: &[u8], out: &mut Vec<u32>) {
        let view = FeatureView::at(game, state);
        out.extend(moves.iter().flat_map(|&mv| view.features(game, mv)).map(u32::from));
    }
}

/// Factor of the final scores, as exploration flattens the visits. Tuned by matches, see the experiment.
const SHARPER: f32 = 1.35;
/// Sixteenths of a doubling in one unit of a logit.
const SIXTEENTHS_PER_LOGIT: f32 = 16.0 * std::f32::consts::LOG2_E;
/// Fixed point scale of the weights of features and biases; no fitted weight is out of range.
const ONE: f32 = 64.0;

/// The units of weight number `weight` that make 1, where scores are logits.
pub fn units(weight: usize) -> f32 {
    match weight / LANES {
        0..MIXED => ONE,
        SCORES => SHARPER * SIXTEENTHS_PER_LOGIT * (1 << SCORE_BITS) as f32 / ONE,
        _ => (1 << MIXED_BITS) as f32,
    }
}

impl<B: Grid> ConnectFour<B> {
    /// Appends the prior of each of `moves`, a probability.
    pub(super) fn priors(&self, state: &State<B>, moves: &[u8], out: &mut Vec<f32>) {
        let view = FeatureView::at(self, state);
        let mut lanes = [[0; LANES]; MOST_COLUMNS];
        let mut total = [0; LANES];
        for (lanes, &mv) in lanes.iter_mut().zip(moves) {
            *lanes = row(BIAS);
            for i in view.features(self, mv) {
                let row = row(usize::from(i));
                (0..LANES).for_each(|h| lanes[h] += row[h]);
            }
            (0..LANES).for_each(|h| total[h] += i32::from(lanes[h].max(0)));
        }
        let added = added_by_all(&total, moves.len());
        let scores = row(SCORES);
        let mut sums = [0; MOST_COLUMNS];
        for (sum, lanes) in sums.iter_mut().zip(&lanes[..moves.len()]) {
            *sum = score(lanes, &added, &scores);
        }
        let sums = &sums[..moves.len()];
        let most = sums.iter().copied().max().unwrap_or(0);
        // Differences are clamped to a hundred doublings.
        let likely = |&sum: &i32| power_of_half((most - sum).min(1600) as u32);
        let total: f32 = sums.iter().map(likely).sum();
        let (share, even) = ((1.0 - EVEN) / total, EVEN / moves.len() as f32);
        out.extend(sums.iter().map(|sum| likely(sum) * share + even));
    }
}

/// Most columns of any board.
const MOST_COLUMNS: usize = 16;

#[inline(always)]
fn row(number: usize) -> [i16; LANES] {
    let row: &[u8; LANES] = FITTED[number * LANES..(number + 1) * LANES].try_into().expect("a row");
    row.map(|weight| i16::from(weight as i8))
}

/// The contribution of the means of the hidden units over `n` moves, whose sums are `total`, to every unit, in the
/// finer scale.
#[inline(always)]
fn added_by_all(total: &[i32; LANES], n: usize) -> [i32; LANES] {
    let mut added = [0; LANES];
    // Whatever the weights, 18 rows come to 2304 at most and 16 moves to less than 2^16: no sum here or in `score`
    // exceeds 32 bits. A product replaces a division for every unit.
    let share = (1 << 14) / n.max(1) as i32;
    for (unit, total) in total.iter().enumerate().skip(1) {
        let (mean, row) = ((total * share) >> (14 - FINER_BITS), row(MIXED + unit));
        (0..LANES).for_each(|h| added[h] += mean * i32::from(row[h]));
    }
    added.map(|sum| sum >> MIXED_BITS)
}

/// The score of a move.
#[inline(always)]
fn score(lanes: &[i16; LANES], added: &[i32; LANES], scores: &[i16; LANES]) -> i32 {
    let finer = lanes.map(|lane| i32::from(lane) << FINER_BITS);
    let mut sum = finer[0] * i32::from(scores[0]);
    for h in 1..LANES {
        sum += (finer[h] + added[h]).max(0) * i32::from(scores[h]);
    }
    sum >> (SCORE_BITS + FINER_BITS)
}

/// `2^(-n / 16)`, the same on every machine.
#[inline(always)]
fn power_of_half(n: u32) -> f32 {
    f32::from_bits((127 - n / 16) << 23) * SIXTEENTHS[n as usize % 16]
}

/// A position prepared for reading the features of moves.
struct FeatureView<B> {
    planes: Planes,
    /// The landing cells, and the cell above in each column.
    landing: B,
    above: B,
    free: B,
    /// Parts of row numbers: the phase, and whether the number of free cells is odd.
    phase: usize,
    odd: usize,
}

impl<B: Grid> FeatureView<B> {
    #[inline(always)]
    fn at(game: &ConnectFour<B>, state: &State<B>) -> FeatureView<B> {
        let landing = game.landing(state.filled);
        let free = game.valid.and_not(state.filled);
        let far = free.and_not(landing);
        let others = game.others(state);
        let planes = Planes::of([far.or(state.own), landing.or(state.own), far.or(others), landing.or(others)]);
        let above = game.landing(state.filled.or(landing));
        let phase = (4 * usize::from(state.ply) / usize::from(game.cells)).min(2);
        FeatureView { planes, landing, above, free, phase, odd: usize::from((game.cells - state.ply) % 2) }
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
        features[14] = (REST + edge * 3 + self.phase) as u16;
        features[15] = (BY_FREE + (free % 2) * 4 + self.odd * 2 + usize::from(free > 4)) as u16;
        features[16] = (BY_HEIGHT + height as usize) as u16;
        features
    }
}

/// Four sets of cells side by side, word by word, so that one vector holds a word of each; an empty word lies before
/// them and two behind. For either side the other free cells and its stones, and the next cells and its stones: the two
/// bits of a cell's code for that side: 0 out of reach, 1 free, 2 next, 3 own stone.
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

    /// The numbers of the patterns around a cell along one direction, for the mover and for the other side, in the
    /// tables from `table` on. The spare bit on top of each column is in no plane, so cells beyond an edge are out of
    /// reach.
    #[inline(always)]
    fn around(&self, cell: u32, step: u32, table: usize, out: &mut [u16]) {
        let (before, behind) = (self.three(cell + 64 - 3 * step, step), self.three(cell + 64 + step, step));
        for side in 0..2 {
            let ways = [(&BEFORE, before), (&BEHIND, behind)].map(|(numbers, cells)| {
                usize::from(numbers[(cells[2 * side] | cells[2 * side + 1] << 3) as usize & 63])
            });
            out[side] = pattern(table, side, ways) as u16;
        }
    }

    /// Of each plane the bits `start`, `start + step` and `start + 2 * step`, counted from the empty word on.
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

/// State numbers of one direction by two planes of three cells, the nearest one lowest or, before a cell, highest.
static BEHIND: [u8; 64] = way_numbers(false);
static BEFORE: [u8; 64] = way_numbers(true);

const fn way_numbers(nearest_is_highest: bool) -> [u8; 64] {
    let mut numbers = [0; 64];
    let mut planes = 0;
    while planes < 64 {
        let mut cells = [0; 3];
        let mut i = 0;
        while i < 3 {
            cells[if nearest_is_highest { 2 - i } else { i }] = (planes >> i & 1 | (planes >> (3 + i) & 1) << 1) as u8;
            i += 1;
        }
        numbers[planes] = way(cells);
        planes += 1;
    }
    numbers
}

/// The state number of one direction: nothing in reach, or one cell in reach and nothing behind it, and so on.
const fn way([near, next, far]: [u8; 3]) -> u8 {
    let behind = if next == 0 { 0 } else { 1 + 4 * (next - 1) + far };
    if near == 0 { 0 } else { 1 + 13 * (near - 1) + behind }
}

/// The row number of the pattern of these two directions in a table, or in that of the other side behind it.
#[inline(always)]
fn pattern(table: usize, side: usize, [a, b]: [usize; 2]) -> usize {
    if table == COLUMN {
        return side * UPRIGHT + a * WAYS + b;
    }
    let (low, high) = (a.min(b), a.max(b));
    table + side * EITHER_WAY + high * (high + 1) / 2 + low
}

#[cfg(test)]
mod tests;
