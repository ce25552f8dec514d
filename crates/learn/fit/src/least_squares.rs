//! Ridge regression by conjugate gradients, for weights that are many and mostly rare.

use banyan_inference::{Sample, Samples};

use crate::model::Model;
use crate::sample_errors::SampleErrors;

/// Regularisation: keeps weights small and smooth that few positions determine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ridge {
    /// Variance of the noise in labels divided by the expected square of a weight, both in squared points.
    pub strength: f32,
    /// Variance of the noise in labels divided by the expected squared difference of the weights of a feature in adjacent stages.
    pub smoothness: f32,
    /// Number of weights of a stage: weight `i` of a stage and weight `i` of the next belong to the same feature.
    pub per_stage: usize,
}

/// Linear model with a weight for each feature. Minimises the sum of the squared errors, `strength` times the squares of the weights and
/// `smoothness` times the squares of their differences between stages (Hoerl and Kennard 1970).
///
/// Each pass is a step of conjugate gradients (Hestenes and Stiefel 1952) on the normal equations, preconditioned by their diagonal
/// (Jacobi). Measured on 0.5 M positions of Reversi with 1.7 M weights: on other positions 30 passes have a much smaller error than 10 of
/// AdaGrad (15.3 points against 16.6), in less time.
#[derive(Clone, Debug, PartialEq)]
pub struct LeastSquares {
    ridge: Ridge,
    weights: Vec<f32>,
    /// The negative gradient of the sum of squares; empty before the first pass.
    residuals: Vec<f32>,
    /// The direction of the next step.
    direction: Vec<f32>,
    /// The diagonal of the normal equations; a function of the positions.
    diagonal: Vec<f32>,
}

impl LeastSquares {
    /// A model whose weights are 0.
    ///
    /// # Panics
    /// The number of weights is not a multiple of `per_stage`.
    pub fn new(n_weights: usize, ridge: Ridge) -> LeastSquares {
        assert!(ridge.per_stage > 0 && n_weights.is_multiple_of(ridge.per_stage), "{ridge:?} of {n_weights} weights");
        let (residuals, direction, diagonal) = (Vec::new(), Vec::new(), Vec::new());
        LeastSquares { ridge, weights: vec![0.0; n_weights], residuals, direction, diagonal }
    }

    fn value(&self, sample: Sample<'_>) -> f32 {
        sum(&self.weights, sample)
    }

    /// Computes the diagonal of the normal equations and, before the first pass, the residuals and the first direction.
    fn begin(&mut self, samples: &Samples) {
        let n_weights = self.weights.len();
        let Ridge { strength, smoothness, per_stage } = self.ridge;
        let neighbours = |i: usize| f32::from(u8::from(i >= per_stage) + u8::from(i + per_stage < n_weights));
        self.diagonal = (0..n_weights).map(|i| strength + smoothness * neighbours(i)).collect();
        for sample in samples.iter() {
            sample.features.iter().for_each(|&feature| self.diagonal[feature as usize] += 1.0);
        }
        // A weight without positions and without a ridge stays 0.
        self.diagonal.iter_mut().for_each(|entry| *entry = entry.max(f32::MIN_POSITIVE));
        if self.residuals.is_empty() {
            self.residuals = vec![0.0; n_weights];
            for sample in samples.iter() {
                let target = sample.targets[0];
                sample.features.iter().for_each(|&feature| self.residuals[feature as usize] += target);
            }
            self.direction = self.residuals.iter().zip(&self.diagonal).map(|(a, b)| a / b).collect();
        }
    }

    /// The matrix of the normal equations times the direction.
    fn product(&self, samples: &Samples) -> Vec<f32> {
        let Ridge { strength, smoothness, per_stage } = self.ridge;
        let direction = &self.direction;
        let held = |i: usize| {
            let other = |j: Option<&f32>| j.map_or(0.0, |other| direction[i] - other);
            let before = i.checked_sub(per_stage).and_then(|j| direction.get(j));
            strength * direction[i] + smoothness * (other(before) + other(direction.get(i + per_stage)))
        };
        let mut product: Vec<f32> = (0..direction.len()).map(held).collect();
        for sample in samples.iter() {
            let along = sum(direction, sample);
            sample.features.iter().for_each(|&feature| product[feature as usize] += along);
        }
        product
    }

    /// The squared length of the residuals, scaled by the diagonal.
    fn length(&self) -> f64 {
        let terms = self.residuals.iter().zip(&self.diagonal);
        terms.map(|(&residual, &entry)| f64::from(residual) * f64::from(residual) / f64::from(entry)).sum()
    }
}

fn sum(weights: &[f32], sample: Sample<'_>) -> f32 {
    sample.features.iter().map(|&feature| weights[feature as usize]).sum()
}

impl Model for LeastSquares {
    fn pass(&mut self, samples: &Samples, _order: &[usize], _size: f32) {
        if self.diagonal.is_empty() {
            self.begin(samples);
        }
        let (product, before) = (self.product(samples), self.length());
        let curvature: f64 = product.iter().zip(&self.direction).map(|(&a, &b)| f64::from(a) * f64::from(b)).sum();
        if curvature <= 0.0 || before <= 0.0 {
            return;
        }
        let step = (before / curvature) as f32;
        for (i, (direction, product)) in self.direction.iter().zip(&product).enumerate() {
            self.weights[i] += step * direction;
            self.residuals[i] -= step * product;
        }
        let kept = (self.length() / before) as f32;
        for (i, direction) in self.direction.iter_mut().enumerate() {
            *direction = self.residuals[i] / self.diagonal[i] + kept * *direction;
        }
    }

    fn has_order(&self) -> bool {
        false
    }

    fn errors(&self, sample: Sample<'_>) -> SampleErrors {
        let target = sample.targets[0];
        let [learned, known, zero] =
            [self.value(sample), sample.known, 0.0].map(|value| f64::from((value - target).abs()));
        SampleErrors { learned, known, zero, hit: 0.0 }
    }

    fn weights(&self) -> Vec<f32> {
        self.weights.clone()
    }

    fn state(&self) -> Vec<f32> {
        [&self.weights[..], &self.residuals, &self.direction].concat()
    }

    fn resume(&mut self, state: &[f32]) -> bool {
        let n_weights = self.weights.len();
        let is_own = state.len() == 3 * n_weights;
        if is_own {
            self.weights.copy_from_slice(&state[..n_weights]);
            self.residuals = state[n_weights..2 * n_weights].to_vec();
            self.direction = state[2 * n_weights..].to_vec();
        }
        is_own
    }
}

#[cfg(test)]
mod tests {
    use banyan_core::Rng;

    use super::*;
    use crate::{Fit, Steps};

    const NONE: Ridge = Ridge { strength: 0.0, smoothness: 0.0, per_stage: 3 };

    fn fitted(ridge: Ridge, n_weights: usize, positions: &[(&[u32], f32, u32)]) -> Vec<f32> {
        let mut samples = Samples::default();
        for &(features, target, n) in positions {
            for _ in 0..n {
                samples.push(Sample { features, targets: &[target], known: 0.0, group: 0, is_measured: true });
            }
        }
        let steps = Steps { epochs: 20, first: 0.0, last: 0.0 };
        let model = LeastSquares::new(n_weights, ridge);
        let mut fit = Fit::new(Box::new(model), samples.len(), steps, Rng::new(1));
        (0..20).for_each(|_| fit.pass(&samples));
        fit.model().weights()
    }

    fn check(found: &[f32], expected: &[f32]) {
        let is_close = |(found, expected): (&f32, &f32)| (found - expected).abs() < 1e-3;
        assert!(found.len() == expected.len() && found.iter().zip(expected).all(is_close), "{found:?}: {expected:?}");
    }

    #[test]
    fn hidden_weights_are_found() {
        let positions: [(&[u32], f32, u32); 4] =
            [(&[0, 1], 1.0, 3), (&[1, 2], -1.5, 1), (&[0, 2], 3.5, 2), (&[0, 0, 1], 4.0, 1)];
        check(&fitted(NONE, 3, &positions), &[3.0, -2.0, 0.5]);
    }

    #[test]
    fn rare_weights_are_held_back_more_than_frequent_ones() {
        // The minimum for n labels v and a strength s is at v n / (n + s).
        let found = fitted(Ridge { strength: 10.0, ..NONE }, 3, &[(&[0], 4.0, 300), (&[1], 4.0, 10)]);
        check(&found, &[4.0 * 300.0 / 310.0, 2.0, 0.0]);
    }

    #[test]
    fn stages_without_positions_follow_their_neighbours() {
        let ridge = Ridge { strength: 0.0, smoothness: 10.0, per_stage: 2 };
        // Features 0 and 1 in four stages, of which only the second and the last have positions.
        let found = fitted(ridge, 8, &[(&[2], 1.0, 10_000_000 / 1000), (&[6], 4.0, 10_000)]);
        check(&found[..2], &[found[2], 0.0]);
        check(&found[4..5], &[(found[2] + found[6]) / 2.0]);
        assert!((found[2] - 1.0).abs() < 0.01 && (found[6] - 4.0).abs() < 0.01, "{found:?}");
    }
}
