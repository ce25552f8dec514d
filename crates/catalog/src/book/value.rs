//! The value of a position in a book.

use std::fmt;

use banyan_core::{Margin, Side};

use crate::view::Analysis;

/// Units of a whole result.
const RESULT: f64 = 10_000.0;
/// Units of a point.
const POINT: f64 = 100.0;
/// The largest margin in points.
const MOST_POINTS: f64 = i16::MAX as f64;

/// Weight of a lost point of the margin beside a lost result; low, as a point seldom decides the result. Guess, untuned.
const POINT_LOSS: f64 = 0.01;

/// The largest loss of a move that counts as none: values of searches are not more exact. (Results of 200,000 simulations in the opening of
/// Dots and Boxes scatter by 0.01.) Guess, untuned.
const NEAR: f64 = 0.04;

/// The expected result and the expected final margin of a position, seen by `First`, rounded as they are written: values that
/// are written and read again are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookValue {
    /// -10,000 certain loss .. 10,000 certain win.
    result: i32,
    /// In hundredths of a point; `None` if unknown.
    margin: Option<i32>,
}

impl BookValue {
    /// The value of a finished game.
    pub fn of_end(margin: Margin) -> BookValue {
        BookValue::rounded(f64::from(margin.0.signum()), Some(f64::from(margin.0)))
    }

    /// The value that a search found for `side`, the side to move. A proof overrides an expectation.
    pub fn found(analysis: &Analysis, side: Side) -> BookValue {
        let sign = f64::from(side.sign());
        let (mut result, mut margin) = (analysis.value, analysis.margin);
        if let Some(proof) = &analysis.proof {
            let (lower, upper) = (proof.lower, proof.upper);
            if lower.signum() == upper.signum() {
                result = f64::from(lower.signum());
                // The margin of a proven win or loss lies within its proven bounds.
                let sure = if lower > 0 { lower } else { upper };
                let within = margin.map(|margin| margin.clamp(f64::from(lower), f64::from(upper)));
                margin = Some(within.unwrap_or(f64::from(sure)));
            }
        }
        BookValue::rounded(result * sign, margin.map(|margin| margin * sign))
    }

    fn rounded(result: f64, margin: Option<f64>) -> BookValue {
        let units = |number: f64, unit: f64, most: f64| (number.clamp(-most, most) * unit).round() as i32;
        BookValue { result: units(result, RESULT, 1.0), margin: margin.map(|margin| units(margin, POINT, MOST_POINTS)) }
    }

    /// The larger, the better for `side`: the result first, then the margin.
    pub(super) fn rank(self, side: Side) -> (i32, i32) {
        let sign = i32::from(side.sign());
        (self.result * sign, self.margin.unwrap_or(0) * sign)
    }

    /// Loss of `side` by a move of value `other` instead of one of this value: 0 .. 2 for the result, and a little for the margin.
    pub(super) fn loss(self, other: BookValue, side: Side) -> f64 {
        let sign = f64::from(side.sign());
        let points = |margin: Option<i32>| f64::from(margin.unwrap_or(0)) / POINT;
        let result = f64::from(self.result - other.result) / RESULT;
        let margin = points(self.margin) - points(other.margin);
        let known = self.margin.is_some() && other.margin.is_some();
        (result * sign).max(0.0) + if known { (margin * sign * POINT_LOSS).max(0.0) } else { 0.0 }
    }

    /// Whether a move with the other value is as good as the best move of `side`, which has this value, within the accuracy of
    /// searches; proven results must be equal.
    pub(super) fn hardly_exceeds(self, other: BookValue, side: Side) -> bool {
        let is_decided = [self, other].iter().any(|value| f64::from(value.result.abs()) == RESULT);
        if is_decided { self.rank(side) == other.rank(side) } else { self.loss(other, side) <= NEAR }
    }

    /// Expected result as `side` sees it: -1 certain loss .. 1 certain win.
    pub(super) fn result_for(self, side: Side) -> f64 {
        f64::from(self.result * i32::from(side.sign())) / RESULT
    }

    /// Expected final margin in points as `side` sees it.
    pub(super) fn margin_for(self, side: Side) -> Option<f64> {
        self.margin.map(|margin| f64::from(margin * i32::from(side.sign())) / POINT)
    }

    /// Reads what [`Display`](fmt::Display) writes, and nothing else.
    pub(super) fn read(text: &str) -> Option<BookValue> {
        let (result, margin) = match text.split_once('/') {
            Some((result, margin)) => (result, Some(margin)),
            None => (text, None),
        };
        let margin = margin.map(|margin| margin.parse::<f64>().ok()).map_or(Some(None), |margin| margin.map(Some))?;
        let result = result.parse::<f64>().ok()?;
        let value = BookValue::rounded(result, margin);
        (value.to_string() == text).then_some(value)
    }
}

/// `+0.1250/-1.50`: the result, and the margin if it is known.
impl fmt::Display for BookValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // An integer has no negative zero.
        write!(f, "{:+.4}", f64::from(self.result) / RESULT)?;
        self.margin.map_or(Ok(()), |margin| write!(f, "/{:+.2}", f64::from(margin) / POINT))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn values_are_read_as_they_are_written(result in -1.0..=1.0, margin in proptest::option::of(-300.0..=300.0)) {
            let value = BookValue::rounded(result, margin);
            prop_assert_eq!(BookValue::read(&value.to_string()), Some(value));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[-+0-9./einfaN]{0,12}") {
            let read = BookValue::read(&text);
            prop_assert!(read.is_none_or(|value| value.to_string() == text));
        }
    }

    #[test]
    fn values_hardly_differ_only_within_the_error_of_searches_and_proven_results_not_at_all() {
        let hardly = |best: &str, other: &str, side| {
            let [best, other] = [best, other].map(|text| BookValue::read(text).expect("a value"));
            best.hardly_exceeds(other, side)
        };
        assert!(hardly("+0.1000", "+0.0600", Side::First) && !hardly("+0.1000", "+0.0500", Side::First));
        assert!(hardly("-0.1000", "-0.0600", Side::Second) && !hardly("-0.1000", "-0.0500", Side::Second));
        assert!(!hardly("+1.0000/+3.00", "+0.9900/+3.00", Side::First));
        assert!(!hardly("-0.9700", "-1.0000", Side::First));
        assert!(!hardly("+1.0000/+3.00", "+1.0000/+1.00", Side::First));
        assert!(hardly("-1.0000/-1.00", "-1.0000/-1.00", Side::First));
    }

    #[test]
    fn both_sides_see_the_same_value() {
        let value = BookValue::read("+0.5000/-1.50").expect("a value");
        let other = BookValue::read("+0.2000/-2.50").expect("a value");
        assert_eq!((value.result_for(Side::First), value.margin_for(Side::Second)), (0.5, Some(1.5)));
        assert!(value.rank(Side::First) > other.rank(Side::First));
        assert!(value.rank(Side::Second) < other.rank(Side::Second));
        assert!((value.loss(other, Side::First) - 0.31).abs() < 1e-9);
        assert_eq!(value.loss(other, Side::Second), 0.0);
        assert_eq!(BookValue::of_end(Margin(-3)).to_string(), "-1.0000/-3.00");
    }
}
