//! Linear and logistic regression.

use banyan_inference::{Sample, Samples};

use crate::model::Model;
use crate::sample_errors::SampleErrors;

/// Initial sum of squared gradients of a weight, so that the first step is finite.
const FIRST_SQUARE: f32 = 1e-2;
/// Probabilities in reports are at least this far from 0 and 1.
const LEAST_PROBABILITY: f32 = 1e-4;

/// Loss that a regression minimises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The squared error of a value in points.
    Squared,
    /// The cross-entropy of a probability, whose logit is the sum of the weights.
    Logistic,
}

/// A linear model: the sum of the weights of a position's features.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    loss: Loss,
    weights: Vec<f32>,
    /// Sums of squared gradients.
    squares: Vec<f32>,
}

impl Regression {
    /// A model whose weights are 0.
    pub fn new(loss: Loss, n_weights: usize) -> Regression {
        Regression { loss, weights: vec![0.0; n_weights], squares: vec![FIRST_SQUARE; n_weights] }
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

    /// Makes one step of AdaGrad (Duchi, Hazan and Singer 2011) from a position: the more a weight has moved, the smaller its steps,
    /// so that rare features learn as fast as frequent ones.
    fn learn(&mut self, sample: Sample<'_>, size: f32) {
        // The derivative of both losses by the sum of the weights, up to a factor.
        let slope = self.value(sample.features) - sample.targets[0];
        for &feature in sample.features {
            let (weight, square) = (&mut self.weights[feature as usize], &mut self.squares[feature as usize]);
            *square += slope * slope;
            *weight -= size * slope / square.sqrt();
        }
    }
}

impl Model for Regression {
    fn pass(&mut self, samples: &Samples, order: &[usize], size: f32) {
        order.iter().for_each(|&i| self.learn(samples.get(i), size));
    }

    fn errors(&self, sample: Sample<'_>) -> SampleErrors {
        let target = sample.targets[0];
        let (error, zero): (fn(f32, f32) -> f32, f32) = match self.loss {
            Loss::Squared => (|value, target| (value - target).abs(), 0.0),
            Loss::Logistic => (cross_entropy, 0.5),
        };
        let [learned, known, zero] =
            [self.value(sample.features), sample.known, zero].map(|value| f64::from(error(value, target)));
        SampleErrors { learned, known, zero, hit: 0.0 }
    }

    fn weights(&self) -> Vec<f32> {
        self.weights.clone()
    }

    fn state(&self) -> Vec<f32> {
        [&self.weights[..], &self.squares].concat()
    }

    fn resume(&mut self, state: &[f32]) -> bool {
        let n_weights = self.weights.len();
        let is_own = state.len() == 2 * n_weights;
        if is_own {
            self.weights.copy_from_slice(&state[..n_weights]);
            self.squares.copy_from_slice(&state[n_weights..]);
        }
        is_own
    }
}

/// The cross-entropy of a predicted `probability` and a `target` from 0 to 1, in nats.
fn cross_entropy(probability: f32, target: f32) -> f32 {
    let probability = probability.clamp(LEAST_PROBABILITY, 1.0 - LEAST_PROBABILITY);
    -target * probability.ln() - (1.0 - target) * (1.0 - probability).ln()
}

#[cfg(test)]
mod tests {
    use banyan_core::Rng;

    use super::*;
    use crate::{Fit, Steps};

    const STEPS: Steps = Steps { epochs: 30, first: 0.5, last: 0.01 };

    /// Positions whose values follow from hidden weights, with three features each.
    fn samples(hidden: &[f32], n_samples: usize, of: impl Fn(f32) -> f32) -> Samples {
        let (mut samples, mut rng) = (Samples::default(), Rng::new(7));
        for _ in 0..n_samples {
            let features: [u32; 3] = std::array::from_fn(|_| rng.below(hidden.len() as u32));
            let sum: f32 = features.iter().map(|&feature| hidden[feature as usize]).sum();
            samples.push(Sample { features: &features, targets: &[of(sum)], known: 0.0, group: 0, is_measured: true });
        }
        samples
    }

    fn check(loss: Loss, hidden: &[f32], n_samples: usize, of: impl Fn(f32) -> f32) {
        let samples = samples(hidden, n_samples, of);
        let mut fit = Fit::new(Box::new(Regression::new(loss, hidden.len())), samples.len(), STEPS, Rng::new(1));
        (0..STEPS.epochs).for_each(|_| fit.pass(&samples));
        for (found, hidden) in fit.model().weights().iter().zip(hidden) {
            assert!((found - hidden).abs() < 0.05, "{found} for {hidden}");
        }
    }

    #[test]
    fn hidden_weights_are_found() {
        check(Loss::Squared, &[3.0, -2.0, 0.5, 7.0, -4.0, 0.0], 2000, |sum| sum);
    }

    #[test]
    fn probabilities_are_found() {
        check(Loss::Logistic, &[1.0, -1.5, 0.3, 0.8], 4000, |sum| 1.0 / (1.0 + (-sum).exp()));
    }
}
