//! Strength estimates from the counts of a match, in JSON form: never NaN or infinite, `null` if the data determine no
//! number.

use banyan_arena::stats::{Decision, EloScale, Estimate, Interval, MorePairs, Sprt, SprtState};
use serde::{Deserialize, Serialize};

/// An estimate between the ends of its 95 % interval: `[low, mid, high]`. A player that won every game has no upper bound.
pub type Span = [Option<f64>; 3];

/// Strength of a player against another, from its viewpoint.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Strength {
    /// Points per game, 0 .. 1.
    pub score: Span,
    /// Logistic Elo.
    pub elo: Span,
    /// Normalised Elo.
    pub nelo: Span,
    /// Likelihood of superiority, 0 .. 1.
    pub los: f64,
    /// Further pairs needed until the interval excludes equality; `None` without data or if more than a million are needed.
    pub more_pairs: Option<u64>,
}

impl Strength {
    /// Rounded to 1e-6 points and 1e-3 Elo, far below the resolution of any match, so that the last digit does not depend on
    /// the machine.
    pub fn of(estimate: &Estimate) -> Strength {
        Strength {
            score: span(estimate.score, 6),
            elo: span(estimate.elo, 3),
            nelo: span(estimate.nelo, 3),
            los: round(estimate.los, 6).unwrap_or(0.5),
            more_pairs: count(estimate.more_pairs),
        }
    }
}

/// A sequential test and its state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtView {
    /// `normalized`, `logistic` or `bayes`.
    pub scale: String,
    /// The weaker hypothesis.
    pub elo0: f64,
    /// The stronger hypothesis.
    pub elo1: f64,
    /// Log-likelihood ratio of the stronger to the weaker.
    pub llr: f64,
    /// At or below this the weaker is accepted.
    pub lower: f64,
    /// At or above this the stronger is accepted.
    pub upper: f64,
    /// `continue`, `H0` or `H1`.
    pub decision: String,
    /// Expected further pairs until a decision; `None` if unknown.
    pub more_pairs: Option<u64>,
}

impl SprtView {
    /// `state` of `test`, rounded like a [`Strength`].
    pub fn of(scale: EloScale, test: &Sprt, state: &SprtState) -> SprtView {
        let [elo0, elo1] = test.hypotheses();
        let number = |x| round(x, 4).unwrap_or(0.0);
        SprtView {
            scale: scale_name(scale).to_owned(),
            elo0,
            elo1,
            llr: number(state.llr),
            lower: number(state.lower),
            upper: number(state.upper),
            decision: decision_name(state.decision).to_owned(),
            more_pairs: count(state.more_pairs),
        }
    }
}

/// The name of a scale in files and arguments.
pub fn scale_name(scale: EloScale) -> &'static str {
    match scale {
        EloScale::Normalized => "normalized",
        EloScale::Logistic => "logistic",
        EloScale::Bayes => "bayes",
    }
}

fn decision_name(decision: Decision) -> &'static str {
    match decision {
        Decision::Continue => "continue",
        Decision::AcceptH0 => "H0",
        Decision::AcceptH1 => "H1",
    }
}

/// `interval` rounded to a number of digits.
pub fn span(interval: Interval, digits: i32) -> Span {
    [interval.low, interval.mid, interval.high].map(|end| end.and_then(|x| round(x, digits)))
}

/// An estimate with signs and one decimal: `+12.3 (+4.0 .. +20.7)`.
pub fn signed([low, mid, high]: Span) -> String {
    format!("{:+.1}", Interval { low, mid, high })
}

/// `x` rounded to a number of decimals; `None` if it is not finite.
pub fn round(x: f64, digits: i32) -> Option<f64> {
    let unit = 10f64.powi(digits);
    // The zero added turns -0 into 0.
    let rounded = (x * unit).round() / unit + 0.0;
    [rounded, x].into_iter().find(|x| x.is_finite())
}

fn count(more: MorePairs) -> Option<u64> {
    match more {
        MorePairs::Enough => Some(0),
        MorePairs::About(n) => Some(n),
        MorePairs::Unknown | MorePairs::NotDistinguishable => None,
    }
}

#[cfg(test)]
mod tests {
    use banyan_arena::stats::{MatchCounts, Pentanomial};

    use super::*;

    #[test]
    fn a_clean_score_has_no_upper_end_and_no_number_is_left_out_by_accident() {
        let won = Strength::of(&Pentanomial { counts: [0, 0, 0, 0, 50] }.estimate());
        let json = serde_json::to_string(&won).expect("JSON");
        assert!(json.starts_with(r#"{"score":[0.928652,1.0,1.0],"elo":[445.79,"#), "{json}");
        assert!(json.contains(r#"[445.79,null,null],"nelo":["#) && json.ends_with(r#""more_pairs":0}"#), "{json}");
    }

    #[test]
    fn every_count_gives_numbers_that_json_can_hold() {
        for counts in [[0; 5], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [u64::MAX; 5], [u64::MAX, 0, 0, 0, 1]] {
            let counts = MatchCounts::from(Pentanomial { counts });
            let sprt = Sprt::new(EloScale::Normalized, 0.0, 10.0, 0.05, 0.05).expect("valid bounds");
            let view = SprtView::of(EloScale::Normalized, &sprt, &sprt.test(&counts));
            let strength = Strength::of(&counts.estimate());
            let all = strength.score.into_iter().chain(strength.elo).chain(strength.nelo).flatten();
            assert!(all.chain([view.llr, strength.los]).all(f64::is_finite), "{counts:?}");
        }
    }

    #[test]
    fn rounding_leaves_neither_minus_zero_nor_infinity() {
        assert_eq!(round(-0.0001, 3).map(f64::to_bits), Some(0.0f64.to_bits()));
        assert_eq!((round(1e308, 6), round(f64::NAN, 3), round(f64::INFINITY, 3)), (Some(1e308), None, None));
    }
}
