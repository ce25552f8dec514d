//! The configuration of `banyan tune`, as a part of match.toml.

use std::fmt;

use banyan_core::TextError;
use serde::{Deserialize, Serialize};

/// The settings that are tuned. The first player has other values of them in every pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneConfig {
    /// The method.
    pub method: TuneMethod,
    /// The text of the player without the tuned settings.
    pub base: String,
    /// Pairs at most of the match of the tuned player against the default; 0 for none.
    pub confirm: u64,
    /// The settings.
    pub vary: Vec<TunedSetting>,
}

/// A setting and its range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedSetting {
    /// Its name.
    pub name: String,
    /// Whether its logarithm is tuned.
    pub log: bool,
    /// Whether it takes whole numbers only.
    pub whole: bool,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// The value that the player has without tuning; absent if that is not a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<f64>,
}

/// The method that chooses the next values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TuneMethod {
    /// Confident local optimization: a local quadratic regression.
    #[default]
    Clop,
    /// Simultaneous perturbation stochastic approximation.
    Spsa,
}

/// The narrowest range, as a part of its larger end.
const NARROWEST: f64 = 1e-9;

/// The most settings that CLOP tunes; its surface has 15 coefficients for four and 45 for eight.
const MOST_FOR_CLOP: usize = 8;

impl TuneConfig {
    /// Checks the settings of a tuning with `pairs` pairs.
    ///
    /// # Errors
    /// No setting or too many, the same one twice, an invalid range, or too few pairs.
    pub fn check(&self, pairs: u64) -> Result<(), TextError> {
        let refused = |found: String, expected: &str| TextError::new(found, expected, "name it as in --vary c=0.1..2");
        if self.vary.is_empty() {
            return Err(refused("a tuning of no setting".to_owned(), "expected at least one"));
        }
        if self.method == TuneMethod::Clop && self.vary.len() > MOST_FOR_CLOP {
            let expected = format!("expected at most {MOST_FOR_CLOP} with clop");
            return Err(TextError::new(format!("{} settings", self.vary.len()), expected, "add --method spsa"));
        }
        for (i, row) in self.vary.iter().enumerate() {
            if self.vary[..i].iter().any(|other| other.name == row.name) {
                let found = format!("--vary {}", row.name);
                return Err(TextError::new(found, "expected different settings", "remove one of them"));
            }
            let found = || format!("{}={}..{}", row.name, row.low, row.high);
            if !(row.low < row.high && row.low.is_finite() && row.high.is_finite()) {
                return Err(refused(found(), "expected a smaller number before .. than behind it"));
            }
            if row.log && row.low <= 0.0 {
                return Err(refused(found(), "expected numbers above 0 with :log"));
            }
            if row.whole && [row.low, row.high].iter().any(|end| end.fract() != 0.0) {
                return Err(refused(found(), "expected whole numbers"));
            }
            if row.high - row.low < NARROWEST * row.low.abs().max(row.high.abs()) {
                return Err(refused(found(), "expected a wider range, in which values differ"));
            }
            if row.default.is_some_and(|default| !default.is_finite()) {
                return Err(refused(found(), "expected a number as default"));
            }
        }
        let least = 4 * (self.vary.len() as u64 + 1) * (self.vary.len() as u64 + 2);
        if pairs < least {
            let expected = format!("expected at least {least} for {} settings", self.vary.len());
            return Err(TextError::new(format!("{pairs} pairs"), expected, format!("try --pairs {}", 20 * least)));
        }
        Ok(())
    }

    /// The coordinates of values of all settings.
    pub fn places(&self, values: &[f64]) -> Vec<f64> {
        self.vary.iter().zip(values).map(|(row, value)| row.coordinate(*value)).collect()
    }
}

impl TunedSetting {
    /// The coordinate of a value, -1 .. 1.
    pub fn coordinate(&self, value: f64) -> f64 {
        let scale = |x: f64| if self.log { x.ln() } else { x };
        2.0 * (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low)) - 1.0
    }

    /// The value at a coordinate, to four digits, or to more if the range is narrow. Whole numbers are rounded up with the
    /// probability of their fraction if `chance`, 0 .. 1, is drawn uniformly; 0.5 rounds to the nearest.
    pub fn value(&self, coordinate: f64, chance: f64) -> f64 {
        let value = self.unrounded(coordinate);
        let value = match self.whole {
            true => (value + chance).floor(),
            false => format!("{value:.0$e}", self.digits()).parse().expect("a number that was printed"),
        };
        value.clamp(self.low, self.high)
    }

    /// The values at two coordinates, both rounded by the same chance. Whole numbers differ, so that a game between them measures
    /// something: values nearer than one step are moved apart around their middle.
    pub fn two_values(&self, coordinates: [f64; 2], chance: f64) -> [f64; 2] {
        if !self.whole {
            return coordinates.map(|coordinate| self.value(coordinate, chance));
        }
        let [one, other] = coordinates.map(|coordinate| self.unrounded(coordinate));
        let (mut less, mut more) = (one.min(other), one.max(other));
        if more - less < 1.0 {
            let middle = f64::midpoint(less, more).min(self.high - 0.5).max(self.low + 0.5);
            (less, more) = (middle - 0.5, middle + 0.5);
        }
        let less = (less + chance).floor().min(self.high - 1.0).max(self.low);
        let more = (more + chance).floor().min(self.high).max(less + 1.0);
        if one < other { [less, more] } else { [more, less] }
    }

    fn unrounded(&self, coordinate: f64) -> f64 {
        let part = f64::midpoint(coordinate, 1.0);
        match self.log {
            true => self.low * (self.high / self.low).powf(part),
            false => self.low + part * (self.high - self.low),
        }
    }

    /// Digits behind the first one: at least a thousand values lie in the range.
    fn digits(&self) -> usize {
        let largest = self.low.abs().max(self.high.abs());
        3 + (largest / (self.high - self.low)).log10().clamp(0.0, 12.0) as usize
    }
}

/// `c=0.1..2:log expand-at=1..8 by clop, confirmed by 1000 pairs`.
impl fmt::Display for TuneConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in &self.vary {
            write!(f, "{}={}..{}{} ", row.name, row.low, row.high, if row.log { ":log" } else { "" })?;
        }
        let method = if self.method == TuneMethod::Clop { "clop" } else { "spsa" };
        write!(f, "by {method}, confirmed by {} pairs", self.confirm)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setting(low: f64, high: f64, log: bool, whole: bool) -> TunedSetting {
        TunedSetting { name: "c".into(), log, whole, low, high, default: None }
    }

    #[test]
    fn coordinates_are_values_and_back() {
        for (row, coordinate, value) in [
            (setting(0.0, 2.0, false, false), -0.5, 0.5),
            (setting(0.1, 10.0, true, false), 0.0, 1.0),
            (setting(1.0, 9.0, false, true), 0.26, 6.0),
        ] {
            assert_eq!(row.value(coordinate, 0.5), value);
            assert!((row.coordinate(value) - coordinate).abs() < 0.02);
        }
        assert_eq!(setting(0.0, 1.0, false, false).value(1.5, 0.5), 1.0);
    }

    #[test]
    fn whole_numbers_are_rounded_by_chance() {
        let row = setting(1.0, 5.0, false, true);
        // 3.25
        let values: Vec<f64> = (0..8).map(|i| row.value(0.125, f64::from(i) / 8.0 + 0.01)).collect();
        assert_eq!(values.iter().filter(|&&value| value == 4.0).count(), 2, "{values:?}");
    }

    #[test]
    fn two_values_differ_on_the_narrowest_range() {
        let chances = || (0..50).map(|i| f64::from(i) / 50.0);
        let places = || (0..=40).map(|i| f64::from(i) / 20.0 - 1.0);
        for row in [
            setting(1.0, 2.0, false, true),
            setting(-3.0, 1.0, false, true),
            setting(1.0, 4.0, true, true),
            setting(0.5, 0.5001, false, false),
            setting(1000.0, 1000.001, true, false),
        ] {
            for (x, chance) in places().flat_map(|x| chances().map(move |chance| (x, chance))) {
                let (up, down) = ((x + 0.3).min(1.0), (x - 0.3).max(-1.0));
                let [more, less] = row.two_values([up, down], chance);
                assert!(row.low <= less && less < more && more <= row.high, "{row:?} at {x}: {less} and {more}");
                assert_eq!(row.two_values([down, up], chance), [less, more]);
                assert!(!row.whole || less.fract() == 0.0 && more.fract() == 0.0);
            }
        }
        // On average they lie around the coordinate: 2.6 here.
        let row = setting(1.0, 5.0, false, true);
        let sum: f64 = chances().flat_map(|chance| row.two_values([-0.15, -0.25], chance)).sum();
        assert!((sum / 100.0 - 2.6).abs() < 0.02, "{sum}");
        // Numbers further apart than a step are rounded as single ones are.
        assert_eq!(row.two_values([0.5, -0.5], 0.3), [row.value(0.5, 0.3), row.value(-0.5, 0.3)]);
    }
}
