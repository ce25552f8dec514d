//! Values and losses of a review in a few characters, the same in the terminal and on the page.

use banyan_catalog::view::Proof;
use banyan_texts::Language;

use crate::view::{ReviewUnit, Valuation};

/// `+3.2`, or proven `=+4`, in points; `62.1 %`, or proven `=win`, `=draw`, `=loss`, in percent.
pub fn value_in_words(valuation: &Valuation, unit: ReviewUnit, language: Language) -> String {
    let proven = |key| format!("={}", language.say(key, &[]));
    let points = |margin: f64| if margin.abs() < 0.05 { "0.0".to_owned() } else { format!("{margin:+.1}") };
    match (unit, valuation.proof) {
        (ReviewUnit::Points, Some(Proof { lower: 0, upper: 0 })) => "=0".to_owned(),
        (ReviewUnit::Points, Some(Proof { lower, upper })) if lower == upper => format!("={lower:+}"),
        (ReviewUnit::Points, _) => valuation.margin.map_or_else(String::new, points),
        (ReviewUnit::Percent, Some(Proof { lower: 1.., .. })) => proven("review.value-win"),
        (ReviewUnit::Percent, Some(Proof { upper: ..0, .. })) => proven("review.value-loss"),
        (ReviewUnit::Percent, Some(Proof { lower: 0, upper: 0 })) => proven("review.value-draw"),
        (ReviewUnit::Percent, _) => format!("{:.1} %", 50.0 * (valuation.value + 1.0)),
    }
}

/// `2.5`, or proven `=2`; empty if nothing is lost.
pub fn loss_in_words(loss: f64, exact: bool) -> String {
    if loss < 0.05 {
        String::new()
    } else if exact {
        format!("={loss:.0}")
    } else {
        format!("{loss:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_values_begin_with_an_equals_sign() {
        let valuation = |value, margin, proof: Option<(i16, i16)>| Valuation {
            value,
            margin,
            proof: proof.map(|(lower, upper)| Proof { lower, upper }),
        };
        for (value, margin, proof, points, percent) in [
            (0.25, Some(3.25), None, "+3.2", "62.5 %"),
            (0.0, Some(-0.01), None, "0.0", "50.0 %"),
            (1.0, Some(4.0), Some((4, 4)), "=+4", "=win"),
            (0.0, Some(0.0), Some((0, 0)), "=0", "=draw"),
            (-1.0, Some(-2.5), Some((-6, -1)), "-2.5", "=loss"),
            (0.5, Some(1.0), Some((0, 9)), "+1.0", "75.0 %"),
        ] {
            let valuation = valuation(value, margin, proof);
            assert_eq!(value_in_words(&valuation, ReviewUnit::Points, Language::En), points);
            assert_eq!(value_in_words(&valuation, ReviewUnit::Percent, Language::En), percent);
        }
        assert_eq!([loss_in_words(0.0, true), loss_in_words(2.0, true), loss_in_words(2.44, false)], ["", "=2", "2.4"]);
    }
}
