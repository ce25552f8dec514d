//! Errors of a regression on positions that it has not seen.

use std::collections::BTreeMap;

use crate::regression::Regression;
use crate::samples::Samples;

/// Mean absolute errors by group of positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Errors {
    /// The errors of each group.
    pub groups: BTreeMap<u16, MeanErrors>,
    /// Those of all positions.
    pub all: MeanErrors,
}

/// Mean absolute errors of some positions, in the unit of their values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MeanErrors {
    /// The number of positions.
    pub n: u64,
    /// Of the learned value.
    pub learned: f64,
    /// Of the value by knowledge that is not learned.
    pub known: f64,
    /// Of 0, which is what the score so far expects.
    pub zero: f64,
}

impl MeanErrors {
    fn add(&mut self, learned: f64, known: f64, zero: f64) {
        self.n += 1;
        let part = 1.0 / self.n as f64;
        self.learned += (learned - self.learned) * part;
        self.known += (known - self.known) * part;
        self.zero += (zero - self.zero) * part;
    }
}

impl Errors {
    /// The errors of a regression on these positions.
    pub fn of(regression: &Regression, samples: &Samples) -> Errors {
        let mut errors = Errors::default();
        for sample in samples.iter() {
            let error = |value: f32| f64::from((value - sample.value).abs());
            let (learned, known, zero) = (error(regression.value(sample.features)), error(sample.known), error(0.0));
            errors.all.add(learned, known, zero);
            errors.groups.entry(sample.group).or_default().add(learned, known, zero);
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Loss, Sample};

    #[test]
    fn errors_are_means_by_group() {
        let mut samples = Samples::default();
        for (value, known, group) in [(2.0, 1.0, 30), (-4.0, -4.0, 30), (1.0, 4.0, 40)] {
            samples.push(Sample { features: &[], value, known, group });
        }
        let errors = Errors::of(&Regression::new(Loss::Squared, 0), &samples);
        assert_eq!(errors.groups[&30], MeanErrors { n: 2, learned: 3.0, known: 0.5, zero: 3.0 });
        assert_eq!(errors.groups[&40], MeanErrors { n: 1, learned: 1.0, known: 3.0, zero: 1.0 });
        assert_eq!(errors.all.n, 3);
        assert!((errors.all.known - 4.0 / 3.0).abs() < 1e-12);
    }
}
