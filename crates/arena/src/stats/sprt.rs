//! Sequential probability ratio tests of a strength of `elo1` against `elo0`, evaluated after every pair.

use banyan_core::{TextError, TextErrorKind};

use super::counts::{MatchCounts, Wdl};
use super::likelihood::Shares;
use super::score::{ELO_PER_NAT, MorePairs, score_of_elo};

/// The Elo scale of the two hypotheses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EloScale {
    /// Normalised Elo: tests with equal bounds take equally many pairs, whatever the share of draws. For pairs.
    #[default]
    Normalized,
    /// Logistic Elo of the score. For pairs.
    Logistic,
    /// BayesElo with the draw width of the sample itself, for single games: the model of older match runners, for
    /// comparison. It treats the games of a pair as independent.
    Bayes,
}

/// A sequential probability ratio test (Wald 1945) of strength `elo0` against `elo1`.
///
/// ```
/// use banyan_arena::stats::{Decision, EloScale, MatchCounts, Pentanomial, Sprt};
///
/// // Is the player stronger by 20 normalised Elo, rather than equal? Both errors have a probability of 5 %.
/// let sprt = Sprt::new(EloScale::Normalized, 0.0, 20.0, 0.05, 0.05)?;
/// let counts = MatchCounts::from(Pentanomial { counts: [5, 15, 30, 30, 20] });
/// let state = sprt.test(&counts);
/// assert_eq!(state.decision, Decision::Continue, "{:.2} is below {:.2}", state.llr, state.upper);
/// # Ok::<(), banyan_core::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprt {
    scale: EloScale,
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
}

/// The decision of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Not decided yet.
    Continue,
    /// Strength is nearer to `elo0`.
    AcceptH0,
    /// Strength is nearer to `elo1`.
    AcceptH1,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SprtState {
    /// Log-likelihood ratio of `elo1` to `elo0`.
    pub llr: f64,
    /// At or below this, `elo0` is accepted.
    pub lower: f64,
    /// At or above this, `elo1` is accepted.
    pub upper: f64,
    /// The decision.
    pub decision: Decision,
    /// Pairs (games for [`EloScale::Bayes`]) expected until a decision; approximate.
    pub more_pairs: MorePairs,
}

impl Sprt {
    /// Largest hypothesis on each scale. A difference of 100 normalised Elo is significant within 25 pairs; up to there
    /// the fit meets its constraint for any counts (tested), from 175 on some cases fail.
    fn furthest(scale: EloScale) -> f64 {
        if scale == EloScale::Normalized { 100.0 } else { 1000.0 }
    }

    /// A test with error rates `alpha` (accepting `elo1` at strength `elo0`) and `beta` (the other way round), both at
    /// least 1e-6 and below 0.5. Hypotheses reach to 100 on the normalised scale, and to 1000 on the others.
    ///
    /// # Errors
    /// An invalid value: `elo0` not below `elo1`, a hypothesis or an error rate out of its range.
    pub fn new(scale: EloScale, elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Sprt, TextError> {
        let furthest = Sprt::furthest(scale);
        if !(elo0 < elo1 && elo0.abs() <= furthest && elo1.abs() <= furthest) {
            let expected = format!("expected the first bound below the second, both within -{furthest} .. {furthest}");
            let err = TextError::new(format!("{elo0},{elo1}"), expected, "try 0,10");
            return Err(err.of_kind(TextErrorKind::InvalidValue));
        }
        for rate in [alpha, beta] {
            if !(1e-6..0.5).contains(&rate) {
                let err =
                    TextError::new(format!("{rate}"), "expected an error rate from 0.000001 to below 0.5", "try 0.05");
                return Err(err.of_kind(TextErrorKind::InvalidValue));
            }
        }
        Ok(Sprt { scale, elo0, elo1, alpha, beta })
    }

    /// Both hypotheses, `elo0` first.
    pub fn hypotheses(&self) -> [f64; 2] {
        [self.elo0, self.elo1]
    }

    /// The log-likelihood ratio at which `elo0` is accepted (Wald 1945).
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The log-likelihood ratio at which `elo1` is accepted (Wald 1945).
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// Log-likelihood ratio of `elo1` to `elo0`: of the pairs, or of single games if there is no pair or the scale is
    /// for games.
    pub fn llr(&self, counts: &MatchCounts) -> f64 {
        self.drift(counts).llr
    }

    /// The state of the test after these games.
    pub fn test(&self, counts: &MatchCounts) -> SprtState {
        let drift = self.drift(counts);
        let (lower, upper) = (self.lower(), self.upper());
        let decision = match drift.llr {
            llr if llr >= upper => Decision::AcceptH1,
            llr if llr <= lower => Decision::AcceptH0,
            _ => Decision::Continue,
        };
        let more_pairs = match decision {
            Decision::Continue if drift.units == 0.0 => MorePairs::Unknown,
            Decision::Continue => MorePairs::about(drift.units_left(lower, upper)),
            _ => MorePairs::Enough,
        };
        SprtState { llr: drift.llr, lower, upper, decision, more_pairs }
    }

    fn drift(&self, counts: &MatchCounts) -> Drift {
        match self.scale {
            EloScale::Bayes => self.bayes(&counts.games()),
            _ if counts.pairs.pairs() > 0 => self.generalized(counts.pairs.bins(), 2.0),
            _ => self.generalized(counts.singles.bins(), 1.0),
        }
    }

    /// The generalised likelihood ratio: each hypothesis uses its maximum likelihood distribution.
    fn generalized<const B: usize>(&self, counts: [f64; B], games_per_unit: f64) -> Drift {
        if counts.iter().all(|&n| n == 0.0) {
            return Drift::NONE;
        }
        let shares = Shares::of(counts);
        let [p0, p1] = self.hypotheses().map(|elo| match self.scale {
            EloScale::Normalized => shares.given_ratio(elo * f64::sqrt(games_per_unit) / (2.0 * ELO_PER_NAT)),
            _ => shares.given_mean(score_of_elo(elo)),
        });
        Drift::of(&shares, &p0, &p1)
    }

    /// The ratio of two BayesElo models: win 1 / (1 + 10^((width - elo) / 400)), loss with -elo (Coulom, BayesElo). The
    /// width is taken from the sample; unlike in cutechess, the hypotheses are not rescaled by it.
    fn bayes(&self, games: &Wdl) -> Drift {
        if games.games() == 0 {
            return Drift::NONE;
        }
        let shares = Shares::of(games.bins());
        let [loss, draw, win] = shares.share;
        let [p0, p1] = self.hypotheses().map(|elo| {
            // With x = e^elo and y = e^width in natural units: y^2 = (1 - loss)(1 - win) / (loss win), which exceeds 1
            // by draw / (loss win); sums instead of differences, as a share may be within rounding of 1.
            let x = (elo / ELO_PER_NAT).exp();
            let y = ((win + draw) * (draw + loss) / (loss * win)).sqrt();
            let excess = draw / (loss * win);
            [1.0 / (1.0 + x * y), x * excess / ((x + y) * (1.0 + x * y)), x / (x + y)]
        });
        Drift::of(&shares, &p0, &p1)
    }
}

/// The log-likelihood ratio, modelled as a Brownian motion.
struct Drift {
    llr: f64,
    units: f64,
    /// Variance of the step of one unit.
    variance: f64,
}

impl Drift {
    const NONE: Drift = Drift { llr: 0.0, units: 0.0, variance: 0.0 };

    fn of<const B: usize>(shares: &Shares<B>, p0: &[f64; B], p1: &[f64; B]) -> Drift {
        let steps: [f64; B] = std::array::from_fn(|i| p1[i].ln() - p0[i].ln());
        let mean: f64 = shares.share.iter().zip(steps).map(|(p, step)| p * step).sum();
        let variance = shares.share.iter().zip(steps).map(|(p, step)| p * (step - mean).powi(2)).sum();
        Drift { llr: shares.n * mean, units: shares.n, variance }
    }

    /// Expected units until a Brownian motion with this drift and variance leaves `lower` .. `upper`, by Wald's
    /// identity; the overshoot is ignored.
    fn units_left(&self, lower: f64, upper: f64) -> f64 {
        let (below, width) = (self.llr - lower, upper - lower);
        let mean = self.llr / self.units;
        let pull = 2.0 * mean * width / self.variance.max(1e-300);
        if pull.abs() < 1e-4 {
            return below * (width - below) / self.variance.max(1e-300);
        }
        // The probability to leave at the top, written so that no exponential overflows.
        let share = below / width;
        let top = match pull > 0.0 {
            true => (-pull * share).exp_m1() / (-pull).exp_m1(),
            false => ((pull * (1.0 - share)).exp() - pull.exp()) / -pull.exp_m1(),
        };
        (top * width - below) / mean
    }
}

#[cfg(test)]
mod tests {
    use super::super::likelihood::moments;
    use super::*;

    #[test]
    fn expected_length_is_continuous_at_zero_drift_and_right_far_from_it() {
        let left = |llr: f64, units: f64| Drift { llr, units, variance: 0.01 }.units_left(-3.0, 3.0);
        assert!((left(0.0, 100.0) - 900.0).abs() < 1e-9);
        assert!((left(1e-3, 100.0) - 900.0).abs() < 1.0, "{}", left(1e-3, 100.0));
        // With a strong drift the motion is nearly deterministic.
        assert!((left(2.0, 10.0) - 5.0).abs() < 1e-6);
        assert!((left(-2.0, 10.0) - 5.0).abs() < 1e-6);
    }

    #[test]
    fn bad_bounds_are_refused_in_one_line() {
        let error = Sprt::new(EloScale::Normalized, 10.0, 0.0, 0.05, 0.05).unwrap_err();
        assert_eq!(
            error.to_string(),
            "10,0: expected the first bound below the second, both within -100 .. 100; try 0,10"
        );
        assert!(Sprt::new(EloScale::Normalized, 0.0, f64::NAN, 0.05, 0.05).is_err());
        assert!(Sprt::new(EloScale::Logistic, 0.0, 5.0, 0.0, 0.05).is_err());
        assert!(Sprt::new(EloScale::Logistic, 0.0, 5.0, 0.05, f64::NAN).is_err());
    }

    #[test]
    fn a_fit_lies_on_its_hypothesis() {
        let p = Shares::of([1.0, 2.0, 3.0, 4.0, 5.0]).given_ratio(0.2);
        let (mean, sigma) = moments(&p);
        assert!(((mean - 0.5) / sigma - 0.2).abs() < 1e-9);
    }
}
