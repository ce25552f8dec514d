//! Linear regression by AdaGrad.

use banyan_core::Rng;

use crate::samples::{Sample, Samples};

/// Initial sum of squared slopes of a weight, so that the first step is finite.
const FIRST_SQUARE: f32 = 1e-2;

/// What a regression minimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The squared error of a value in points.
    Squared,
    /// The cross-entropy of a probability, whose logit is the sum of the weights.
    Logistic,
}

/// The sizes of the steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Passes over all positions.
    pub epochs: u32,
    /// Size of a weight's first step; it falls evenly to `last` with the epochs.
    pub first: f32,
    /// Size at the end, for a weight that has not moved yet.
    pub last: f32,
    /// Seed of the order of the positions.
    pub seed: u64,
}

impl Steps {
    /// The size of the steps of an epoch, counted from 0.
    fn size(&self, epoch: u32) -> f32 {
        self.last + (self.first - self.last) * (1.0 - epoch as f32 / self.epochs.max(1) as f32)
    }
}

/// A sum of weights, and its learning by AdaGrad (Duchi, Hazan and Singer 2011): the more a weight has moved, the smaller its
/// steps, so that rare features learn as fast as frequent ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    loss: Loss,
    weights: Vec<f32>,
    /// Sums of squared slopes.
    squares: Vec<f32>,
    epochs_done: u32,
}

impl Regression {
    /// All weights 0.
    pub fn new(loss: Loss, n_weights: usize) -> Regression {
        Regression { loss, weights: vec![0.0; n_weights], squares: vec![FIRST_SQUARE; n_weights], epochs_done: 0 }
    }

    /// The weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Passes made so far.
    pub fn epochs_done(&self) -> u32 {
        self.epochs_done
    }

    /// The learned value of a position with these features: points, or a probability.
    ///
    /// # Panics
    /// A feature beyond the number of weights.
    pub fn value(&self, features: &[u32]) -> f32 {
        let sum: f32 = features.iter().map(|&feature| self.weights[feature as usize]).sum();
        match self.loss {
            Loss::Squared => sum,
            Loss::Logistic => 1.0 / (1.0 + (-sum).exp()),
        }
    }

    /// Makes one more pass over all positions, in an order that follows from the seed and the number of the pass.
    ///
    /// # Panics
    /// A feature beyond the number of weights.
    pub fn pass(&mut self, samples: &Samples, steps: &Steps) {
        let mut order: Vec<usize> = (0..samples.len()).collect();
        Rng::new(banyan_core::mix(steps.seed ^ u64::from(self.epochs_done))).shuffle(&mut order);
        let size = steps.size(self.epochs_done);
        for i in order {
            self.step(samples.get(i), size);
        }
        self.epochs_done += 1;
    }

    fn step(&mut self, sample: Sample<'_>, size: f32) {
        // The slope of both losses in the sum of the weights, up to a factor.
        let slope = self.value(sample.features) - sample.value;
        for &feature in sample.features {
            let (weight, square) = (&mut self.weights[feature as usize], &mut self.squares[feature as usize]);
            *square += slope * slope;
            *weight -= size * slope / square.sqrt();
        }
    }

    /// The state as bytes, from which [`from_bytes`](Regression::from_bytes) goes on.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.epochs_done.to_le_bytes().to_vec();
        let numbers = self.weights.iter().chain(&self.squares);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// The state in `bytes`; `None` if they are not those of so many weights.
    pub fn from_bytes(loss: Loss, n_weights: usize, bytes: &[u8]) -> Option<Regression> {
        let (epochs, numbers) = bytes.split_first_chunk()?;
        let (numbers, []) = numbers.as_chunks() else { return None };
        let numbers: Vec<f32> = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        if numbers.len() != 2 * n_weights {
            return None;
        }
        let (weights, squares) = numbers.split_at(n_weights);
        let (weights, squares) = (weights.to_vec(), squares.to_vec());
        Some(Regression { loss, weights, squares, epochs_done: u32::from_le_bytes(*epochs) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEPS: Steps = Steps { epochs: 30, first: 0.5, last: 0.01, seed: 1 };

    /// Positions whose values follow from hidden weights, with three of `n` features each.
    fn samples(hidden: &[f32], n_samples: usize, of: impl Fn(f32) -> f32) -> Samples {
        let (mut samples, mut rng) = (Samples::default(), Rng::new(7));
        for _ in 0..n_samples {
            let features: [u32; 3] = std::array::from_fn(|_| rng.below(hidden.len() as u32));
            let sum: f32 = features.iter().map(|&feature| hidden[feature as usize]).sum();
            samples.push(Sample { features: &features, value: of(sum), known: 0.0, group: 0 });
        }
        samples
    }

    fn fitted(loss: Loss, samples: &Samples, n_weights: usize, epochs: u32) -> Regression {
        let mut regression = Regression::new(loss, n_weights);
        (0..epochs).for_each(|_| regression.pass(samples, &STEPS));
        regression
    }

    #[test]
    fn hidden_weights_are_found() {
        let hidden = [3.0, -2.0, 0.5, 7.0, -4.0, 0.0];
        let found = fitted(Loss::Squared, &samples(&hidden, 2000, |sum| sum), hidden.len(), 30);
        for (found, hidden) in found.weights().iter().zip(hidden) {
            assert!((found - hidden).abs() < 0.05, "{found} for {hidden}");
        }
    }

    #[test]
    fn probabilities_are_found() {
        let hidden = [1.0, -1.5, 0.3, 0.8];
        let of = |sum: f32| 1.0 / (1.0 + (-sum).exp());
        let found = fitted(Loss::Logistic, &samples(&hidden, 4000, of), hidden.len(), 30);
        for (found, hidden) in found.weights().iter().zip(hidden) {
            assert!((found - hidden).abs() < 0.05, "{found} for {hidden}");
        }
    }

    #[test]
    fn a_state_that_was_written_and_read_goes_on_as_if_nothing_had_happened() {
        let samples = samples(&[1.0, 2.0, -3.0], 500, |sum| sum);
        let whole = fitted(Loss::Squared, &samples, 3, 5);
        let half = fitted(Loss::Squared, &samples, 3, 2).to_bytes();
        let mut resumed = Regression::from_bytes(Loss::Squared, 3, &half).expect("it was just written");
        assert_eq!(resumed.epochs_done(), 2);
        (0..3).for_each(|_| resumed.pass(&samples, &STEPS));
        assert_eq!(resumed, whole);
        assert_eq!(Regression::from_bytes(Loss::Squared, 2, &half), None, "of another number of weights");
        assert_eq!(Regression::from_bytes(Loss::Squared, 3, &half[..half.len() - 1]), None, "torn");
        assert_eq!(Regression::from_bytes(Loss::Squared, 0, &[1]), None, "torn at once");
    }
}
