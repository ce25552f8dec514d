//! The response of a result to settings: means of values measured on common openings, and with them a fitted [`Curve`] or [`Surface`]
//! with its optimum and the 95 % interval of that.

mod curve;
mod scale;
#[cfg(test)]
mod simulated;
mod surface;

use super::quantile::{Z95, normal_quantile};

pub use curve::Curve;
pub use surface::{Shape, Surface};

/// The standard normal quantile of a power of 80 %.
const POWER: f64 = 0.841_621_233_572_914;

/// The smallest true difference between the means of two values that `n` pairs each detect with a probability of 80 % at a level of 5 %,
/// both sides, for a variance of single pairs.
pub fn detectable(variance: f64, n: u64) -> f64 {
    (Z95 + POWER) * (2.0 * variance / n.max(1) as f64).sqrt()
}

/// The smallest true distance of the mean of one value from a fixed number that `n` pairs detect with a probability of 80 % at this level,
/// both sides, for a variance of single pairs.
pub fn detectable_at(level: f64, variance: f64, n: u64) -> f64 {
    (normal_quantile(1.0 - level / 2.0) + POWER) * (variance / n.max(1) as f64).sqrt()
}

/// The results of several values on common openings.
#[derive(Clone, Debug, Default)]
pub struct Responses {
    /// `[opening][value]`; `None` where no pair counts.
    pub rounds: Vec<Vec<Option<f64>>>,
}

/// The input of the fits: the mean of each value.
#[derive(Clone, Debug, PartialEq)]
pub struct PointMeans {
    /// `[value]`: the mean over the openings that all values have played, or over all if those are less than half.
    pub means: Vec<f64>,
    /// `[value]`: the variance of that mean in comparisons with other values. What all values win or lose by an opening cancels out.
    pub variances: Vec<f64>,
    /// The variance of one pair in such comparisons.
    pub pair_variance: f64,
    /// Degrees of freedom of the variance: openings less one.
    pub freedom: f64,
}

impl Responses {
    /// The results of one value, in the order of the openings.
    pub fn of(&self, value: usize) -> Vec<f64> {
        self.rounds.iter().filter_map(|round| round[value]).collect()
    }

    /// The means that are compared; `None` while a value has no pair or no variance is known.
    pub fn point_means(&self) -> Option<PointMeans> {
        let complete: Vec<Vec<f64>> =
            self.rounds.iter().filter_map(|round| round.iter().copied().collect::<Option<Vec<f64>>>()).collect();
        let n_values = self.rounds.first()?.len();
        let n_results: usize = self.rounds.iter().map(|round| round.iter().flatten().count()).sum();
        if complete.len() >= 2 && n_values >= 2 && 2 * complete.len() * n_values >= n_results {
            return Some(of_complete(&complete, n_values));
        }
        // Parts of a sweep have no opening in common: the openings remain in the variance.
        let samples: Vec<Vec<f64>> = (0..n_values).map(|value| self.of(value)).collect();
        let freedom = samples.iter().map(|sample| sample.len().saturating_sub(1)).sum::<usize>() as f64;
        if freedom < 1.0 || samples.iter().any(Vec::is_empty) {
            return None;
        }
        let means: Vec<f64> = samples.iter().map(|sample| mean_of(sample)).collect();
        let squares: f64 = samples
            .iter()
            .zip(&means)
            .map(|(sample, mean)| sample.iter().map(|y| (y - mean).powi(2)).sum::<f64>())
            .sum();
        let variances = samples.iter().map(|sample| squares / freedom / sample.len() as f64).collect();
        Some(PointMeans { means, variances, pair_variance: squares / freedom, freedom })
    }
}

/// The interaction of values and openings in an analysis of variance by two ways (Fisher 1925) is the error of comparisons.
fn of_complete(rounds: &[Vec<f64>], n_values: usize) -> PointMeans {
    let n = rounds.len() as f64;
    let means: Vec<f64> = (0..n_values).map(|value| rounds.iter().map(|round| round[value]).sum::<f64>() / n).collect();
    let all = mean_of(&means);
    let squares: f64 = rounds
        .iter()
        .map(|round| {
            let effect = mean_of(round) - all;
            round.iter().zip(&means).map(|(y, mean)| (y - mean - effect).powi(2)).sum::<f64>()
        })
        .sum();
    let pair_variance = squares / ((n - 1.0) * (n_values as f64 - 1.0));
    PointMeans { means, variances: vec![pair_variance / n; n_values], pair_variance, freedom: n - 1.0 }
}

fn mean_of(sample: &[f64]) -> f64 {
    sample.iter().sum::<f64>() / sample.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_values_win_by_an_opening_is_no_error_of_comparisons() {
        let rounds = (0..40).map(|i| {
            let opening = f64::from(i % 8);
            vec![Some(opening + f64::from(i % 2) * 0.1), Some(opening), Some(opening + 1.0)]
        });
        let points = Responses { rounds: rounds.collect() }.point_means().expect("means");
        assert!(points.pair_variance < 0.01, "{points:?}");
        assert!((points.means[2] - points.means[1] - 1.0).abs() < 1e-12, "{points:?}");
    }

    #[test]
    fn parts_without_common_openings_are_compared_with_the_whole_variance() {
        let rounds = (0..40).map(|i| {
            let mut round = vec![None; 4];
            round[i % 4] = Some((i / 4 % 2) as f64);
            round
        });
        let points = Responses { rounds: rounds.collect() }.point_means().expect("means");
        assert_eq!(points.means, [0.5; 4]);
        // Ten results 0 or 1 for each of four values: 10 squares of 0.25 each, on 36 degrees of freedom.
        assert!((points.pair_variance - 10.0 / 36.0).abs() < 1e-12, "{points:?}");
        assert_eq!(Responses::default().point_means(), None);
        assert_eq!(Responses { rounds: vec![vec![Some(0.5), None]] }.point_means(), None);
    }

    #[test]
    fn the_detectable_difference_is_that_of_the_textbook() {
        // Two means of 63 results with variance 1 each: Cohen 1988, table 2.4.1, d = 0.50 at a power of 0.80.
        assert!((detectable(1.0, 63) - 0.50).abs() < 0.002, "{}", detectable(1.0, 63));
    }
}
