//! Priors for PUCT: the probability that each move is the best, without search.
//!
//! A stone affects the lines through its cell and through the cell above it, which becomes available to the other side.
//! The features of a move are the patterns around both cells along the row and the two diagonals: three neighbours on
//! either side, each of them a stone, a cell where the next stone may land, another free cell, or out of reach, once
//! for either side. The column is a feature of the stone's cell only.
//!
//! They are the rows of a small [network](MoveNetwork), fitted to the visits of searches by `banyan train connect-four priors`
//! (experiments/connect-four-priors).

use banyan_inference::{MoveFeatures, MoveNetwork, NETWORK_LANES, network_bytes, network_units};

use super::{ConnectFour, Grid, State};

/// The fitted network.
static FITTED: MoveNetwork<{ network_bytes(FEATURE_ROWS) }> = MoveNetwork(include_bytes!("priors.bin"));

/// Number of rows of features, some of them unused.
const FEATURE_ROWS: usize = REST + 64;

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
        NETWORK_LANES
    }

    fn append(&self, game: &ConnectFour<B>, state: &State<B>, moves: &[u8], out: &mut Vec<u32>) {
        let view = FeatureView::at(game, state);
        out.extend(moves.iter().flat_map(|&mv| view.features(game, mv)).map(u32::from));
    }
}

/// Factor of the final scores, as exploration flattens the visits. Tuned by matches, see the experiment.
const SHARPER: f32 = 1.35;

/// The units of weight number `weight` that make 1, where scores are logits.
pub fn units(weight: usize) -> f32 {
    network_units(weight, FEATURE_ROWS, SHARPER)
}

impl<B: Grid> ConnectFour<B> {
    /// Appends the prior of each of `moves`, a probability.
    pub(super) fn priors(&self, state: &State<B>, moves: &[u8], out: &mut Vec<f32>) {
        let view = FeatureView::at(self, state);
        FITTED.probabilities::<MOST_COLUMNS, FEATURES>(moves.len(), |i| view.features(self, moves[i]), out);
    }
}

/// Most columns of any board.
const MOST_COLUMNS: usize = 16;

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
