//! Errors of a model on positions that it has not seen.

use std::collections::BTreeMap;

use banyan_inference::Samples;

use crate::model::Model;
use crate::sample_errors::SampleErrors;

/// Mean errors by group of positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// The errors of each group.
    pub groups: BTreeMap<u16, MeanErrors>,
    /// The errors of all positions.
    pub all: MeanErrors,
}

/// Means of the [errors](SampleErrors) of some positions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanErrors {
    /// The number of positions.
    pub n: u64,
    /// Mean errors of the model.
    pub learned: f64,
    /// Mean errors of knowledge that is not learned.
    pub known: f64,
    /// Mean errors of a guess without knowledge.
    pub zero: f64,
    /// The share of positions in which a policy prefers the most visited move.
    pub hits: f64,
}

impl MeanErrors {
    fn add(&mut self, errors: &SampleErrors) {
        self.n += 1;
        let part = 1.0 / self.n as f64;
        self.learned += (errors.learned - self.learned) * part;
        self.known += (errors.known - self.known) * part;
        self.zero += (errors.zero - self.zero) * part;
        self.hits += (errors.hit - self.hits) * part;
    }
}

impl Errors {
    /// The errors of a model on those of these positions that reports count.
    pub fn of(model: &dyn Model, samples: &Samples) -> Errors {
        let mut errors = Errors::default();
        for sample in samples.iter().filter(|sample| sample.is_measured) {
            let found = model.errors(sample);
            errors.all.add(&found);
            errors.groups.entry(sample.group).or_default().add(&found);
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use banyan_inference::Sample;

    use super::*;
    use crate::{Loss, Regression};

    fn samples(positions: &[(f32, f32, u16)]) -> Samples {
        let mut samples = Samples::default();
        for &(value, known, group) in positions {
            samples.push(Sample { features: &[], targets: &[value], known, group, is_measured: true });
        }
        samples
    }

    #[test]
    fn errors_are_means_by_group() {
        let mut samples = samples(&[(2.0, 1.0, 30), (-4.0, -4.0, 30), (1.0, 4.0, 40)]);
        samples.push(Sample { features: &[], targets: &[9.0], known: 0.0, group: 30, is_measured: false });
        let errors = Errors::of(&Regression::new(Loss::Squared, 0), &samples);
        assert_eq!(errors.groups[&30], MeanErrors { n: 2, learned: 3.0, known: 0.5, zero: 3.0, hits: 0.0 });
        assert_eq!(errors.groups[&40], MeanErrors { n: 1, learned: 1.0, known: 3.0, zero: 1.0, hits: 0.0 });
        assert_eq!(errors.all.n, 3);
        assert!((errors.all.known - 4.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn probabilities_are_measured_by_cross_entropy() {
        let errors = Errors::of(&Regression::new(Loss::Logistic, 0), &samples(&[(1.0, 0.8, 0), (0.0, 0.5, 0)])).all;
        let coin = std::f64::consts::LN_2;
        for (found, expected) in
            [(errors.learned, coin), (errors.zero, coin), (errors.known, (coin - 0.8f64.ln()) / 2.0)]
        {
            assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
        }
    }
}
