//! A small network that gives each move of a position a probability.
//!
//! Every feature of a move has a row of weights, one for each lane; the rows of a move's features and the row of biases add up.
//! Lane 0 of the sum is a part of the move's score. The other lanes are hidden units (ReLU): a linear function of the means of all units
//! over all moves is added to each, and its positive part is multiplied by the score weight of the lane. A softmax over the scores gives
//! the probabilities, which are fitted to shares of visits.

use banyan_core::Rng;
use banyan_inference::{NetworkSize, Sample, Samples};

use crate::model::Model;
use crate::sample_errors::SampleErrors;

/// Initial sum of squared gradients of a weight, so that the first step is finite.
const FIRST_SQUARE: f32 = 1e-3;
/// Weight decay: the part of a weight that is added to each of its gradients (guess, untuned).
const DECAY: f32 = 1e-6;
/// Probabilities in reports are at least this.
const LEAST_PROBABILITY: f32 = 1e-9;

/// A network and its learning by AdaGrad.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    size: NetworkSize,
    /// `[row][lane]`.
    weights: Vec<f32>,
    /// `[row][lane]`: sums of squared gradients.
    squares: Vec<f32>,
    /// `[row]`: whether a step has changed it.
    trained: Vec<bool>,
}

/// The activations of a position's moves.
struct Activations {
    /// `[move][lane]`: sums of rows.
    sums: Vec<f32>,
    /// `[lane]`: the means of the positive parts of these over the moves.
    means: Vec<f32>,
    /// `[move][lane]`: activations, with the contribution of the means.
    hidden: Vec<f32>,
    /// `[move]`: probabilities.
    likelihoods: Vec<f32>,
}

impl Network {
    /// A network with small random weights.
    pub fn new(size: NetworkSize, rng: &mut Rng) -> Network {
        let mut weights = vec![0.0; size.n_weights()];
        for (number, row) in weights.chunks_exact_mut(size.lanes).enumerate() {
            let most = first_weight(size, number);
            row.iter_mut().skip(1).for_each(|weight| *weight = most * (2.0 * rng.unit() as f32 - 1.0));
        }
        weights[size.scores() * size.lanes] = 1.0;
        let squares = vec![FIRST_SQUARE; weights.len()];
        Network { size, weights, squares, trained: vec![false; size.scores() + 1] }
    }

    /// The probability of each move.
    ///
    /// # Panics
    /// A feature beyond the number of features.
    pub fn likelihoods(&self, features: &[u32]) -> Vec<f32> {
        self.forward(features).likelihoods
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.weights[row * self.size.lanes..][..self.size.lanes]
    }

    fn forward(&self, features: &[u32]) -> Activations {
        let NetworkSize { per_move, lanes, .. } = self.size;
        let n_moves = features.len() / per_move;
        let mut sums = self.row(self.size.bias()).repeat(n_moves);
        let (mut means, mut added) = (vec![0.0; lanes], vec![0.0; lanes]);
        for (sums, features) in sums.chunks_exact_mut(lanes).zip(features.chunks_exact(per_move)) {
            for &feature in features {
                sums.iter_mut().zip(self.row(feature as usize)).for_each(|(sum, weight)| *sum += weight);
            }
            means.iter_mut().zip(sums).skip(1).for_each(|(mean, sum)| *mean += sum.max(0.0) / n_moves as f32);
        }
        for (unit, mean) in means.iter().enumerate().skip(1) {
            let row = self.row(self.size.mixed() + unit);
            added.iter_mut().zip(row).skip(1).for_each(|(added, weight)| *added += mean * weight);
        }
        let mut hidden = sums.clone();
        for units in hidden.chunks_exact_mut(lanes) {
            units.iter_mut().zip(&added).skip(1).for_each(|(unit, added)| *unit = (*unit + added).max(0.0));
        }
        let weights = self.row(self.size.scores());
        let score = |units: &[f32]| units.iter().zip(weights).map(|(unit, weight)| unit * weight).sum::<f32>();
        let scores: Vec<f32> = hidden.chunks_exact(lanes).map(score).collect();
        let most = scores.iter().copied().fold(f32::MIN, f32::max);
        let likely: Vec<f32> = scores.iter().map(|score| (score - most).exp()).collect();
        let total: f32 = likely.iter().sum();
        Activations { sums, means, hidden, likelihoods: likely.iter().map(|p| p / total).collect() }
    }

    fn step(&mut self, row: usize, slopes: impl IntoIterator<Item = f32>, size: f32) {
        self.trained[row] = true;
        let place = row * self.size.lanes..(row + 1) * self.size.lanes;
        let (weights, squares) = (&mut self.weights[place.clone()], &mut self.squares[place]);
        for ((weight, square), slope) in weights.iter_mut().zip(squares).zip(slopes) {
            let slope = slope + DECAY * *weight;
            *square += slope * slope;
            *weight -= size * slope / square.sqrt();
        }
    }

    /// The gradients of the loss by the score weights, by the contribution of the means to the units, and by the sums of each move.
    fn slopes(&self, at: &Activations, targets: &[f32]) -> [Vec<f32>; 3] {
        let (lanes, n_moves) = (self.size.lanes, at.likelihoods.len());
        let (mut of_scores, mut of_added) = (vec![0.0; lanes], vec![0.0; lanes]);
        let mut of_sums = vec![0.0; at.sums.len()];
        for (i, slopes) in of_sums.chunks_exact_mut(lanes).enumerate() {
            slopes[0] = at.likelihoods[i] - targets[i];
            for lane in (1..lanes).filter(|lane| at.hidden[i * lanes + lane] > 0.0) {
                of_scores[lane] += slopes[0] * at.hidden[i * lanes + lane];
                slopes[lane] = slopes[0] * self.row(self.size.scores())[lane];
                of_added[lane] += slopes[lane];
            }
        }
        for unit in 1..lanes {
            let row = self.row(self.size.mixed() + unit);
            let of_mean: f32 = row.iter().zip(&of_added).skip(1).map(|(weight, slope)| weight * slope).sum();
            for i in (0..n_moves).filter(|i| at.sums[i * lanes + unit] > 0.0) {
                of_sums[i * lanes + unit] += of_mean / n_moves as f32;
            }
        }
        [of_scores, of_added, of_sums]
    }
}

impl Network {
    /// Makes one step of AdaGrad (Duchi, Hazan and Singer 2011) from a position.
    fn learn(&mut self, sample: Sample<'_>, size: f32) {
        let NetworkSize { per_move, lanes, .. } = self.size;
        let at = self.forward(sample.features);
        let [of_scores, of_added, of_sums] = self.slopes(&at, sample.targets);
        for (unit, mean) in at.means.iter().enumerate().skip(1) {
            self.step(self.size.mixed() + unit, of_added.iter().map(|slope| slope * mean), size);
        }
        self.step(self.size.scores(), of_scores, size);
        self.weights[self.size.scores() * lanes] = 1.0;
        let mut of_bias = vec![0.0; lanes];
        for (features, slopes) in sample.features.chunks_exact(per_move).zip(of_sums.chunks_exact(lanes)) {
            for &feature in features {
                self.step(feature as usize, slopes.iter().copied(), size);
            }
            // Lane 0 of the biases is the same for all moves, and changes nothing.
            of_bias.iter_mut().zip(slopes).skip(1).for_each(|(sum, slope)| *sum += slope);
        }
        self.step(self.size.bias(), of_bias, size);
    }
}

impl Model for Network {
    fn pass(&mut self, samples: &Samples, order: &[usize], size: f32) {
        order.iter().for_each(|&i| self.learn(samples.get(i), size));
    }

    fn errors(&self, sample: Sample<'_>) -> SampleErrors {
        let likelihoods = self.likelihoods(sample.features);
        let best = |list: &[f32]| (0..list.len()).max_by(|&a, &b| list[a].total_cmp(&list[b]));
        let cost = |by: &[f32]| -> f64 {
            let terms = sample.targets.iter().zip(by).filter(|&(&share, _)| share > 0.0);
            terms.map(|(&share, &p)| -f64::from(share) * f64::from(p.max(LEAST_PROBABILITY)).ln()).sum()
        };
        SampleErrors {
            learned: cost(&likelihoods),
            known: cost(sample.targets),
            zero: (likelihoods.len() as f64).ln(),
            hit: f64::from(u8::from(best(&likelihoods) == best(sample.targets))),
        }
    }

    fn weights(&self) -> Vec<f32> {
        let rows = self.weights.chunks_exact(self.size.lanes).zip(&self.trained);
        rows.flat_map(|(row, &is_trained)| row.iter().map(move |&weight| if is_trained { weight } else { 0.0 }))
            .collect()
    }

    fn state(&self) -> Vec<f32> {
        let trained: Vec<f32> = self.trained.iter().map(|&is_trained| f32::from(u8::from(is_trained))).collect();
        [&self.weights[..], &self.squares, &trained].concat()
    }

    fn resume(&mut self, state: &[f32]) -> bool {
        let (n_weights, n_rows) = (self.weights.len(), self.trained.len());
        let is_own = state.len() == 2 * n_weights + n_rows;
        if is_own {
            self.weights.copy_from_slice(&state[..n_weights]);
            self.squares.copy_from_slice(&state[n_weights..2 * n_weights]);
            self.trained = state[2 * n_weights..].iter().map(|&mark| mark != 0.0).collect();
        }
        is_own
    }
}

/// The largest initial weight of a row (guess, untuned).
fn first_weight(size: NetworkSize, row: usize) -> f32 {
    match row {
        _ if row < size.bias() => 0.05,
        _ if row == size.bias() => 0.1,
        _ if row == size.scores() => 0.3,
        _ => 0.2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Errors, Fit, Steps};

    const SIZE: NetworkSize = NetworkSize { n_features: 8, per_move: 2, lanes: 4 };
    const STEPS: Steps = Steps { epochs: 20, first: 0.05, last: 0.002 };

    /// Positions of 2 to 5 moves with two of the features 0 to 6 each, in which the visits follow from hidden scores of the features and,
    /// if `in_context` is set, the other way round where a move has feature 0.
    fn samples(in_context: bool) -> Samples {
        let hidden = [0.0, 1.0, -1.0, 0.5, 2.0, -0.5, 0.3];
        let (mut samples, mut rng) = (Samples::default(), Rng::new(3));
        for _ in 0..3000 {
            let features: Vec<u32> = (0..2 * (2 + rng.below(4))).map(|_| rng.below(7)).collect();
            let sign = if in_context && features.contains(&0) { -1.0 } else { 1.0 };
            let score = |pair: &[u32]| (sign * pair.iter().map(|&i| hidden[i as usize]).sum::<f32>()).exp();
            let likely: Vec<f32> = features.chunks_exact(2).map(score).collect();
            let total: f32 = likely.iter().sum();
            let targets: Vec<f32> = likely.iter().map(|p| p / total).collect();
            samples.push(Sample { features: &features, targets: &targets, known: 0.0, group: 0, is_measured: true });
        }
        samples
    }

    fn fitted(samples: &Samples) -> Fit {
        let mut rng = Rng::new(1);
        let mut fit = Fit::new(Box::new(Network::new(SIZE, &mut rng)), samples.len(), STEPS, rng);
        (0..STEPS.epochs).for_each(|_| fit.pass(samples));
        fit
    }

    #[test]
    fn a_policy_is_found() {
        let samples = samples(false);
        let errors = Errors::of(fitted(&samples).model(), &samples).all;
        assert!(errors.learned - errors.known < 0.005, "{errors:?}");
        assert!(errors.zero - errors.known > 0.3 && errors.hits > 0.95, "{errors:?}");
    }

    #[test]
    fn moves_depend_on_the_other_moves() {
        let samples = samples(true);
        let errors = Errors::of(fitted(&samples).model(), &samples).all;
        // Without the means of the units the score of a move could not depend on feature 0 of another.
        assert!(errors.learned - errors.known < 0.5 * (errors.zero - errors.known), "{errors:?}");
    }

    #[test]
    fn steps_follow_the_slope_of_the_loss() {
        let samples = samples(true);
        let network = Network::new(SIZE, &mut Rng::new(5));
        let sample = samples.get(0);
        let at = network.forward(sample.features);
        let [of_scores, ..] = network.slopes(&at, sample.targets);
        let scores = SIZE.scores() * SIZE.lanes;
        for (lane, slope) in of_scores.iter().enumerate().skip(1) {
            let loss = |by: f32| {
                let mut moved = network.clone();
                moved.weights[scores + lane] += by;
                moved.errors(sample).learned
            };
            let expected = (loss(1e-2) - loss(-1e-2)) / 2e-2;
            assert!((f64::from(*slope) - expected).abs() < 1e-3, "lane {lane}: {slope} for {expected}");
        }
    }

    #[test]
    fn rows_without_a_position_are_zero() {
        let weights = fitted(&samples(false)).model().weights();
        assert_eq!(weights.len(), SIZE.n_weights());
        assert_eq!(weights[7 * 4..8 * 4], [0.0; 4], "feature 7 does not occur");
        assert!(weights[6 * 4..7 * 4].iter().all(|&weight| weight != 0.0));
        assert_eq!(weights[SIZE.scores() * 4], 1.0);
    }
}
