//! A model that learns by passes over positions.

use banyan_core::Rng;
use banyan_inference::{Sample, Samples};

use crate::sample_errors::SampleErrors;

/// A model whose weights are learned by passes over positions.
pub trait Model {
    /// Makes one pass over all positions in this order; `size` is the step size, if the model uses one.
    fn pass(&mut self, samples: &Samples, order: &[usize], size: f32);

    /// Whether passes visit the positions in random order.
    fn has_order(&self) -> bool {
        true
    }

    /// The errors on a position.
    fn errors(&self, sample: Sample<'_>) -> SampleErrors;

    /// The weights; 0 for features without positions.
    fn weights(&self) -> Vec<f32>;

    /// Everything that later steps depend on.
    fn state(&self) -> Vec<f32>;

    /// Continues from a [state](Model::state); returns `false` and changes nothing if it is not a state of this model.
    fn resume(&mut self, state: &[f32]) -> bool;
}

/// The number of passes and the step sizes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steps {
    /// Passes over all positions.
    pub epochs: u32,
    /// AdaGrad's step size in the first epoch, about that of a weight's first step; decreases linearly towards `last`.
    pub first: f32,
    /// Step size after the last epoch.
    pub last: f32,
}

impl Steps {
    /// The step size of an epoch, counted from 0.
    fn size(&self, epoch: u32) -> f32 {
        self.last + (self.first - self.last) * (1.0 - epoch as f32 / self.epochs.max(1) as f32)
    }
}

/// A model in the course of its passes over some positions.
pub struct Fit {
    model: Box<dyn Model>,
    steps: Steps,
    rng: Rng,
    n_samples: usize,
    /// The order of the positions in the last pass; every pass shuffles it again. Empty for a model without an order.
    order: Vec<usize>,
    epochs_done: u32,
}

impl Fit {
    /// Begins to fit a model to `n_samples` positions; `rng` determines their order in each pass.
    pub fn new(model: Box<dyn Model>, n_samples: usize, steps: Steps, rng: Rng) -> Fit {
        let order = if model.has_order() { (0..n_samples).collect() } else { Vec::new() };
        Fit { model, steps, rng, n_samples, order, epochs_done: 0 }
    }

    /// The model.
    pub fn model(&self) -> &dyn Model {
        &*self.model
    }

    /// Passes made so far.
    pub fn epochs_done(&self) -> u32 {
        self.epochs_done
    }

    /// Makes one more pass over all positions.
    ///
    /// # Panics
    /// The number of positions differs from `n_samples`, or the model lacks a feature.
    pub fn pass(&mut self, samples: &Samples) {
        assert_eq!(samples.len(), self.n_samples, "the positions of the first pass");
        self.rng.shuffle(&mut self.order);
        self.model.pass(samples, &self.order, self.steps.size(self.epochs_done));
        self.epochs_done += 1;
    }

    /// The state as bytes, from which [`resume`](Fit::resume) continues.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.epochs_done.to_le_bytes().to_vec();
        bytes.extend(self.model.state().iter().flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// Continues a fit that has just begun from the state of an equal one. Returns `false` and changes nothing if the bytes are no
    /// such state.
    pub fn resume(&mut self, bytes: &[u8]) -> bool {
        let Some((epochs, numbers)) = bytes.split_first_chunk() else { return false };
        let (numbers, []) = numbers.as_chunks() else { return false };
        let numbers: Vec<f32> = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        let epochs_done = u32::from_le_bytes(*epochs);
        if epochs_done > self.steps.epochs || !self.model.resume(&numbers) {
            return false;
        }
        while self.epochs_done < epochs_done {
            self.rng.shuffle(&mut self.order);
            self.epochs_done += 1;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use banyan_inference::NetworkSize;

    use super::*;
    use crate::{LeastSquares, Loss, Network, Regression, Ridge};

    const STEPS: Steps = Steps { epochs: 5, first: 0.5, last: 0.01 };
    const SIZE: NetworkSize = NetworkSize { n_features: 6, per_move: 2, lanes: 4 };

    fn regression() -> Fit {
        Fit::new(Box::new(Regression::new(Loss::Squared, 6)), 300, STEPS, Rng::new(1))
    }

    fn least_squares() -> Fit {
        let ridge = Ridge { strength: 3.0, smoothness: 1.0, per_stage: 3 };
        Fit::new(Box::new(LeastSquares::new(6, ridge)), 300, STEPS, Rng::new(1))
    }

    fn network() -> Fit {
        let mut rng = Rng::new(1);
        Fit::new(Box::new(Network::new(SIZE, &mut rng)), 300, STEPS, rng)
    }

    /// Positions for either model: two moves of two features each, or one value.
    fn samples(n_targets: usize) -> Samples {
        let (mut samples, mut rng) = (Samples::default(), Rng::new(7));
        for _ in 0..300 {
            let features: [u32; 4] = std::array::from_fn(|_| rng.below(6));
            let share = rng.unit() as f32;
            let targets = &[share, 1.0 - share][..n_targets];
            samples.push(Sample { features: &features, targets, known: 0.0, group: 0, is_measured: true });
        }
        samples
    }

    #[test]
    fn a_state_that_was_written_and_read_goes_on_as_if_nothing_had_happened() {
        for (new, n_targets) in [(regression as fn() -> Fit, 1), (least_squares, 1), (network, 2)] {
            let samples = samples(n_targets);
            let passes = |mut fit: Fit, n: u32| {
                (0..n).for_each(|_| fit.pass(&samples));
                fit
            };
            let (whole, half) = (passes(new(), 5), passes(new(), 2).to_bytes());
            let mut resumed = new();
            assert!(resumed.resume(&half), "it was just written");
            assert_eq!(resumed.epochs_done(), 2);
            assert_eq!(passes(resumed, 3).to_bytes(), whole.to_bytes());
            assert_ne!(half, whole.to_bytes());
        }
    }

    #[test]
    fn a_state_of_something_else_is_refused() {
        let of_a_network = network().to_bytes();
        for bytes in [&of_a_network[..], &regression().to_bytes()[..10], &[1], &[]] {
            let mut fit = regression();
            assert!(!fit.resume(bytes));
            assert_eq!(fit.to_bytes(), regression().to_bytes());
        }
        assert!(!network().resume(&of_a_network[..of_a_network.len() - 4]));
        let mut too_late = regression().to_bytes();
        too_late[0] = 6;
        assert!(!regression().resume(&too_late), "more passes than there are");
    }
}
