//! Quantiles of the normal distribution and of Student's t.

use statrs::distribution::{ChiSquared, ContinuousCDF, Normal, StudentsT};
use statrs::function::erf::erfc;

/// The 97.5 % quantile of the normal distribution, for 95 % intervals.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Beyond this many degrees of freedom the expansion below is exact to 1e-6, and the continued fraction of Student's
/// distribution loses digits.
const NEARLY_NORMAL: f64 = 1e4;

/// The 97.5 % quantile of Student's t; `freedom` is at least 1.
pub fn t95(freedom: f64) -> f64 {
    student_quantile(0.975, Z95, freedom)
}

/// The quantile of Student's t at the probability `p`, between 0 and 1; `freedom` is at least 1.
pub fn t_quantile(p: f64, freedom: f64) -> f64 {
    student_quantile(p, normal_quantile(p), freedom)
}

/// The quantile of Student's t at `p`, where that of the normal distribution is `z`.
fn student_quantile(p: f64, z: f64, freedom: f64) -> f64 {
    match student(freedom) {
        Some(law) => law.inverse_cdf(p),
        // First term of the expansion in 1/freedom (Abramowitz and Stegun 1964, 26.7.5).
        None => z + (z.powi(3) + z) / (4.0 * freedom),
    }
}

/// The probability that Student's t is below `x`.
pub fn t_below(x: f64, freedom: f64) -> f64 {
    match student(freedom) {
        Some(law) => law.cdf(x),
        None => 0.5 * erfc(-x / std::f64::consts::SQRT_2),
    }
}

/// A quantile of chi-squared; `freedom` is at least 1.
pub fn chi_squared_quantile(probability: f64, freedom: f64) -> f64 {
    let law = ChiSquared::new(freedom.max(1.0)).expect("a positive number");
    law.inverse_cdf(probability)
}

/// The quantile of the standard normal distribution at the probability `p`, between 0 and 1.
pub fn normal_quantile(p: f64) -> f64 {
    Normal::standard().inverse_cdf(p)
}

fn student(freedom: f64) -> Option<StudentsT> {
    (freedom <= NEARLY_NORMAL).then(|| StudentsT::new(0.0, 1.0, freedom.max(1.0)).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn student_quantiles_are_those_of_the_printed_tables() {
        for (freedom, expected) in [(1.0, 12.706), (2.0, 4.303), (10.0, 2.228), (30.0, 2.042), (1e9, 1.960)] {
            let t = t95(freedom);
            assert!((t - expected).abs() < 5.1e-4, "{freedom} degrees of freedom: {t}, printed {expected}");
        }
    }

    #[test]
    fn chi_squared_quantiles_are_those_of_the_printed_tables() {
        for (probability, freedom, expected) in [(0.95, 1.0, 3.841), (0.95, 6.0, 12.592), (0.80, 6.0, 8.558)] {
            let found = chi_squared_quantile(probability, freedom);
            assert!((found - expected).abs() < 5.1e-4, "{probability}, {freedom}: {found}");
        }
    }

    #[test]
    fn quantiles_are_continuous_where_the_normal_distribution_takes_over() {
        assert!((t95(NEARLY_NORMAL) - t95(NEARLY_NORMAL * 1.000_001)).abs() < 1e-6);
        assert!((t_below(1.2, NEARLY_NORMAL) - t_below(1.2, NEARLY_NORMAL * 1.000_001)).abs() < 2e-5);
    }
}
