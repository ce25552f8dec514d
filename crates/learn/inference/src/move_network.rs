//! A small network that gives each move of a position a probability, as `banyan train` fits it, in integers: the same numbers on every
//! machine.
//!
//! Every feature of a move has a row of [`NETWORK_LANES`] weights; the rows of a move's features and the row of biases add up. Lane 0 of the
//! sum is a part of the move's score. The other lanes are hidden units: to each, a linear function of the means of all units over all
//! moves is added, and it counts with a separate weight if it is positive. A softmax over the scores gives the probabilities, of which
//! a tenth is spread evenly.

/// Weights of a row: the direct part of the score, and the hidden units.
pub const NETWORK_LANES: usize = 16;
/// Rows after those of the features: the biases, a row for each unit's mean, and the weight of every lane in the score.
const OWN_ROWS: usize = NETWORK_LANES + 2;

/// Fixed point scale of the weights of features and biases.
const ONE: f32 = 64.0;
/// Fixed point scale of a unit's mean times a weight from means to units, in bits.
const MIXED_BITS: u32 = 6;
/// Fixed point scale of a lane times its weight in the score, in bits; the unit of the result is a sixteenth of a doubling.
const SCORE_BITS: u32 = 7;
/// Additional bits of means, and of the units that they are added to, compared with the lanes.
const FINER_BITS: u32 = 3;
/// Sixteenths of a doubling in one unit of a logit.
const SIXTEENTHS_PER_LOGIT: f32 = 16.0 * std::f32::consts::LOG2_E;
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
/// The share of the probability that is spread evenly (guess, untuned).
const EVEN: f32 = 0.1;

/// A network of `BYTES` bytes of weights: `[row][lane]`, signed.
#[derive(Clone, Copy, Debug)]
pub struct MoveNetwork<const BYTES: usize>(pub &'static [u8; BYTES]);

/// The bytes of a network with `feature_rows` rows of features.
pub const fn network_bytes(feature_rows: usize) -> usize {
    (feature_rows + OWN_ROWS) * NETWORK_LANES
}

/// The units of weight number `weight` that make 1, for a network with `feature_rows` rows of features whose scores are logits, to be
/// multiplied by `sharper`.
pub fn network_units(weight: usize, feature_rows: usize, sharper: f32) -> f32 {
    let row = weight / NETWORK_LANES;
    match row.checked_sub(feature_rows) {
        None | Some(0) => ONE,
        Some(own) if own + 1 == OWN_ROWS => sharper * SIXTEENTHS_PER_LOGIT * (1 << SCORE_BITS) as f32 / ONE,
        _ => (1 << MIXED_BITS) as f32,
    }
}

impl<const BYTES: usize> MoveNetwork<BYTES> {
    /// The row of biases, after those of features.
    const BIAS: usize = BYTES / NETWORK_LANES - OWN_ROWS;
    /// The first of [`NETWORK_LANES`] rows with the weights from a unit's mean over the moves to every unit; that of lane 0 is unused.
    const MIXED: usize = Self::BIAS + 1;
    /// The row of the weights of every lane in the score.
    const SCORES: usize = Self::MIXED + NETWORK_LANES;

    /// Appends the probability of each of `n` moves, at most `MOST`, from the rows of the features of each.
    ///
    /// # Panics
    /// More moves, or a row beyond those of features and the network's own.
    #[inline(always)]
    pub fn probabilities<const MOST: usize, const FEATURES: usize>(
        &self,
        n: usize,
        mut features: impl FnMut(usize) -> [u16; FEATURES],
        out: &mut Vec<f32>,
    ) {
        // See `added_by_all`.
        const { assert!(FEATURES <= 18 && MOST <= 40) };
        let mut lanes = [[0; NETWORK_LANES]; MOST];
        let mut total = [0; NETWORK_LANES];
        for (i, lanes) in lanes[..n].iter_mut().enumerate() {
            *lanes = self.row(Self::BIAS);
            for row in features(i) {
                let row = self.row(usize::from(row));
                (0..NETWORK_LANES).for_each(|h| lanes[h] += row[h]);
            }
            (0..NETWORK_LANES).for_each(|h| total[h] += i32::from(lanes[h].max(0)));
        }
        let added = self.added_by_all(&total, n);
        let scores = self.row(Self::SCORES);
        let mut sums = [0; MOST];
        for (sum, lanes) in sums.iter_mut().zip(&lanes[..n]) {
            *sum = score(lanes, &added, &scores);
        }
        let sums = &sums[..n];
        let most = sums.iter().copied().max().unwrap_or(0);
        // Differences are clamped to a hundred doublings.
        let likely = |&sum: &i32| power_of_half((most - sum).min(1600) as u32);
        let total: f32 = sums.iter().map(likely).sum();
        let (share, even) = ((1.0 - EVEN) / total, EVEN / n as f32);
        out.extend(sums.iter().map(|sum| likely(sum) * share + even));
    }

    #[inline(always)]
    fn row(&self, number: usize) -> [i16; NETWORK_LANES] {
        let row: &[u8; NETWORK_LANES] =
            self.0[number * NETWORK_LANES..(number + 1) * NETWORK_LANES].try_into().expect("a row");
        row.map(|weight| i16::from(weight as i8))
    }

    /// The contribution of the means of the hidden units over `n` moves, whose sums are `total`, to every unit, in the
    /// finer scale.
    #[inline(always)]
    fn added_by_all(&self, total: &[i32; NETWORK_LANES], n: usize) -> [i32; NETWORK_LANES] {
        let mut added = [0; NETWORK_LANES];
        // Whatever the weights, 18 features and the biases come to 2432 at most and 40 moves to less than 2^17: no sum here or in
        // `score` exceeds 32 bits. A product replaces a division for every unit.
        let share = (1 << 14) / n.max(1) as i32;
        for (unit, total) in total.iter().enumerate().skip(1) {
            let (mean, row) = ((total * share) >> (14 - FINER_BITS), self.row(Self::MIXED + unit));
            (0..NETWORK_LANES).for_each(|h| added[h] += mean * i32::from(row[h]));
        }
        added.map(|sum| sum >> MIXED_BITS)
    }
}

/// The score of a move.
#[inline(always)]
fn score(lanes: &[i16; NETWORK_LANES], added: &[i32; NETWORK_LANES], scores: &[i16; NETWORK_LANES]) -> i32 {
    let finer = lanes.map(|lane| i32::from(lane) << FINER_BITS);
    let mut sum = finer[0] * i32::from(scores[0]);
    for h in 1..NETWORK_LANES {
        sum += (finer[h] + added[h]).max(0) * i32::from(scores[h]);
    }
    sum >> (SCORE_BITS + FINER_BITS)
}

/// `2^(-n / 16)`, the same on every machine.
#[inline(always)]
fn power_of_half(n: u32) -> f32 {
    f32::from_bits((127 - n / 16) << 23) * SIXTEENTHS[n as usize % 16]
}

#[cfg(test)]
mod tests {
    use banyan_core::Rng;

    use super::*;

    const FEATURE_ROWS: usize = 40;
    const FEATURES: usize = 5;

    /// The network in floating point.
    fn plain(weights: &[u8], moves: &[[u16; FEATURES]]) -> Vec<f64> {
        let [bias, mixed, scores] = [FEATURE_ROWS, FEATURE_ROWS + 1, FEATURE_ROWS + 1 + NETWORK_LANES];
        let weight = |row: usize, lane: usize| f64::from(weights[row * NETWORK_LANES + lane] as i8);
        let lane =
            |of: &[u16; FEATURES], h| weight(bias, h) + of.iter().map(|&row| weight(usize::from(row), h)).sum::<f64>();
        let mean = |h| moves.iter().map(|of| lane(of, h).max(0.0)).sum::<f64>() / moves.len() as f64;
        let added = |h| (1..NETWORK_LANES).map(|unit| mean(unit) * weight(mixed + unit, h)).sum::<f64>() / 64.0;
        let score = |of: &[u16; FEATURES]| {
            let hidden = (1..NETWORK_LANES).map(|h| (lane(of, h) + added(h)).max(0.0) * weight(scores, h));
            lane(of, 0) * weight(scores, 0) + hidden.sum::<f64>()
        };
        let likely: Vec<f64> = moves.iter().map(|of| (score(of) / f64::from(16 << SCORE_BITS)).exp2()).collect();
        let total: f64 = likely.iter().sum();
        likely.iter().map(|p| p / total * 0.9 + 0.1 / likely.len() as f64).collect()
    }

    #[test]
    fn integers_agree_with_floating_point() {
        const BYTES: usize = network_bytes(FEATURE_ROWS);
        let mut rng = Rng::new(7);
        let (mut sum, mut n, mut spread) = (0.0, 0, 0.0);
        for _ in 0..50 {
            let weights: [u8; BYTES] = std::array::from_fn(|_| (rng.below(61) as i8 - 30) as u8);
            let network = MoveNetwork(Box::leak(Box::new(weights)));
            for n_moves in 1..=10 {
                let mut row = || rng.below(FEATURE_ROWS as u32) as u16;
                let moves: Vec<[u16; FEATURES]> = (0..n_moves).map(|_| std::array::from_fn(|_| row())).collect();
                let mut found = Vec::new();
                network.probabilities::<10, FEATURES>(n_moves, |i| moves[i], &mut found);
                for (found, expected) in found.into_iter().zip(plain(&weights, &moves)) {
                    let error = (f64::from(found) / expected).ln().abs();
                    assert!(error < 0.2, "{found} for {expected}");
                    (sum, n) = (sum + error, n + 1);
                    spread = f64::max(spread, expected - 1.0 / n_moves as f64);
                }
            }
        }
        // Scores are cut off below to sixteenths of a doubling, which is 0.043.
        assert!(sum / f64::from(n) < 0.03, "{} on average", sum / f64::from(n));
        assert!(spread > 0.3, "all moves are the same: {spread}");
    }

    #[test]
    fn every_row_has_its_units() {
        let units = |row: usize| network_units(row * NETWORK_LANES + 3, FEATURE_ROWS, 2.0);
        assert_eq!([units(0), units(FEATURE_ROWS - 1), units(FEATURE_ROWS)], [64.0; 3]);
        assert_eq!([units(FEATURE_ROWS + 1), units(FEATURE_ROWS + NETWORK_LANES)], [64.0; 2]);
        // Of logits of 1 that count twice: e^2 times as likely.
        let logit = units(FEATURE_ROWS + NETWORK_LANES + 1) * 64.0 / f32::from(16u16 << SCORE_BITS);
        assert!((logit.exp2() - 1f32.exp().powi(2)).abs() < 1e-3, "{logit}");
    }

    #[test]
    fn halvings_are_exact_enough() {
        for n in [0, 1, 7, 15, 16, 17, 100, 1600] {
            let exact = 2f64.powf(-f64::from(n) / 16.0);
            assert!((f64::from(power_of_half(n)) / exact - 1.0).abs() < 1e-6, "{n}");
        }
    }
}
