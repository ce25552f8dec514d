//! An estimate with its 95 % interval, whose ends may be missing, and Wilson's interval for proportions.

use std::fmt;

use super::quantile::{Z95, t95};

/// An estimate and its 95 % interval. `None` means that the data do not determine the number: the strength of a player
/// who won every game has no upper end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: Option<f64>,
    /// Best estimate.
    pub mid: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

impl Interval {
    /// Nothing is known.
    pub const UNKNOWN: Interval = Interval { low: None, mid: None, high: None };

    /// `mid`, give or take `half_width`.
    pub(super) fn around(mid: f64, half_width: f64) -> Interval {
        Interval { low: Some(mid - half_width), mid: Some(mid), high: Some(mid + half_width) }
    }

    /// Whether `value` lies outside: above the upper end or below the lower one.
    pub fn excludes(&self, value: f64) -> bool {
        self.low.is_some_and(|low| low > value) || self.high.is_some_and(|high| high < value)
    }

    /// The interval on another, rising scale, which may end earlier.
    pub fn map(self, scale: impl Fn(f64) -> Option<f64>) -> Interval {
        Interval { low: self.low.and_then(&scale), mid: self.mid.and_then(&scale), high: self.high.and_then(&scale) }
    }
}

/// `+12.3 (+4.0 .. +20.7)`, `> +312.0`, `< -312.0`, `+420.1 (> +250.0)` or `unknown`. One decimal unless the format has
/// a precision; signs appear with `{:+}`.
impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(1);
        let print = |x: f64| {
            // Rounding must not leave "-0.0" behind.
            let unit = 10f64.powi(digits as i32);
            let x = if (x * unit).abs() < 0.5 { 0.0 } else { x };
            if f.sign_plus() { format!("{x:+.digits$}") } else { format!("{x:.digits$}") }
        };
        match (self.low.map(print), self.mid.map(print), self.high.map(print)) {
            (Some(low), Some(mid), Some(high)) => write!(f, "{mid} ({low} .. {high})"),
            (None, None, None) => f.write_str("unknown"),
            (Some(low), None, None) => write!(f, "> {low}"),
            (None, None, Some(high)) => write!(f, "< {high}"),
            (Some(low), None, Some(high)) => write!(f, "{low} .. {high}"),
            (Some(low), Some(mid), None) => write!(f, "{mid} (> {low})"),
            (None, Some(mid), Some(high)) => write!(f, "{mid} (< {high})"),
            (None, Some(mid), None) => write!(f, "{mid} (unknown)"),
        }
    }
}

/// The mean of a sample with its 95 % interval by Student's t; without ends for a single value, unknown without any.
pub fn mean(sample: &[f64]) -> Interval {
    let n = sample.len() as f64;
    let mid = sample.iter().sum::<f64>() / n;
    match sample.len() {
        0 => Interval::UNKNOWN,
        1 => Interval { mid: Some(mid), ..Interval::UNKNOWN },
        _ => {
            let squares: f64 = sample.iter().map(|x| (x - mid).powi(2)).sum();
            Interval::around(mid, t95(n - 1.0) * (squares / (n - 1.0) / n).sqrt())
        }
    }
}

/// Wilson's 95 % interval for a proportion: `successes` out of `trials` (Wilson 1927, "Probable inference, the law of
/// succession, and statistical inference"). Ends within 0 .. 1 for any counts; unknown without trials.
pub fn wilson(successes: u64, trials: u64) -> Interval {
    if trials == 0 {
        return Interval::UNKNOWN;
    }
    let n = trials as f64;
    wilson_with((successes as f64 / n).min(1.0), n, Z95)
}

/// Wilson's interval for the share `p` of `n` trials, which need not be whole, at `z` standard errors.
pub(super) fn wilson_with(p: f64, n: f64, z: f64) -> Interval {
    let k = z * z / n;
    let centre = (p + k / 2.0) / (1.0 + k);
    let half_width = (k * (p * (1.0 - p) + k / 4.0)).sqrt() / (1.0 + k);
    // Rounding may move an end past the proportion by one unit in the last place.
    Interval {
        low: Some((centre - half_width).clamp(0.0, p)),
        mid: Some(p),
        high: Some((centre + half_width).clamp(p, 1.0)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(successes: u64, trials: u64, expected: &str) {
        assert_eq!(format!("{:.3}", wilson(successes, trials)), expected, "{successes} of {trials}");
    }

    #[test]
    fn wilson_gives_the_published_intervals() {
        // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
        check(81, 263, "0.308 (0.255 .. 0.366)");
        check(15, 148, "0.101 (0.062 .. 0.160)");
        check(0, 20, "0.000 (0.000 .. 0.161)");
        check(1, 29, "0.034 (0.006 .. 0.172)");
        check(29, 29, "1.000 (0.883 .. 1.000)");
        check(0, 0, "unknown");
    }

    #[test]
    fn means_have_the_intervals_of_the_textbook() {
        // Student 1908, "The probable error of a mean": the additional hours of sleep gained by ten patients with each of two drugs.
        let dextro = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
        let laevo = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
        assert_eq!(format!("{:.3}", mean(&dextro)), "0.750 (-0.530 .. 2.030)");
        assert_eq!(format!("{:.3}", mean(&laevo)), "2.330 (0.898 .. 3.762)");
        assert_eq!(
            format!("{:.1} {:.1} {:.1}", mean(&[2.0; 5]), mean(&[2.5]), mean(&[])),
            "2.0 (2.0 .. 2.0) 2.5 (unknown) unknown"
        );
    }

    #[test]
    fn missing_ends_are_printed_as_words_and_signs() {
        let print = |low, mid, high| format!("{:+.0}", Interval { low, mid, high });
        assert_eq!(print(Some(312.4), None, None), "> +312");
        assert_eq!(print(None, None, Some(-312.4)), "< -312");
        assert_eq!(print(Some(-0.3), Some(0.2), Some(9.7)), "+0 (+0 .. +10)");
        assert_eq!(print(Some(250.0), Some(420.0), None), "+420 (> +250)");
        assert_eq!(Interval::UNKNOWN.to_string(), "unknown");
    }
}
