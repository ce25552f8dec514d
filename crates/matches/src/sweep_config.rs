//! The configuration of a sweep, as a part of match.toml.

use std::fmt;

use banyan_core::TextError;
use serde::{Deserialize, Serialize};

/// The settings that a sweep varies. The players after the first are their values, those of the last setting changing fastest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepConfig {
    /// The quantity that is measured.
    pub quantity: Quantity,
    /// Whether a second stage plays finer steps around the optimum.
    pub refine: bool,
    /// One setting, or two.
    pub vary: Vec<Varied>,
}

/// A setting and its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Varied {
    /// Its name.
    pub name: String,
    /// Whether the curve is fitted over the logarithm of the values.
    pub log: bool,
    /// Whether it takes whole numbers only.
    pub whole: bool,
    /// Its values, rising.
    pub values: Vec<f64>,
    /// The value that the player has without the sweep; absent if that is not a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<f64>,
}

/// The quantity that a sweep measures, as the mean over the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Points per game: a win 1, a draw 1/2.
    #[default]
    Score,
    /// The final margin, in the points of the game.
    Margin,
}

impl SweepConfig {
    /// Checks the settings of a sweep with `n_players` players, the opponent included.
    ///
    /// # Errors
    /// No setting or more than two, the same one twice, values that do not rise or are not numbers, or another number of players.
    pub fn check(&self, n_players: usize) -> Result<(), TextError> {
        let refused =
            |found: String, expected: &str| TextError::new(found, expected, "name it as in --vary c=0.2..2/10");
        match self.vary.as_slice() {
            [] => {
                return Err(refused("a sweep of no setting".to_owned(), "expected one setting, or two different ones"));
            }
            [_] => {}
            [one, other] if one.name != other.name => {}
            _ => return Err(refused(self.to_string(), "expected one setting, or two different ones")),
        }
        for row in &self.vary {
            let rises = row.values.is_sorted_by(|a, b| a < b) && row.values.iter().all(|value| value.is_finite());
            if row.values.is_empty() || !rises {
                return Err(refused(row.to_string(), "expected rising numbers"));
            }
            if row.log && row.values[0] <= 0.0 {
                return Err(refused(row.to_string(), "expected values above 0 with :log"));
            }
            if row.whole && row.values.iter().any(|value| value.fract() != 0.0) {
                return Err(refused(row.to_string(), "expected whole numbers"));
            }
            if row.default.is_some_and(|default| !default.is_finite()) {
                return Err(refused(row.to_string(), "expected a number as default"));
            }
        }
        let n_values =
            self.vary.iter().try_fold(1usize, |n, row| n.checked_mul(row.values.len())).unwrap_or(usize::MAX);
        if n_values != n_players.saturating_sub(1) {
            let found = format!("{n_values} values of {} players", n_players.saturating_sub(1));
            return Err(refused(found, "expected a player for each value"));
        }
        Ok(())
    }
}

/// `c=0.2,0.4,0.8:log by score`.
impl fmt::Display for SweepConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let vary: Vec<String> = self.vary.iter().map(Varied::to_string).collect();
        let quantity = match self.quantity {
            Quantity::Score => "score",
            Quantity::Margin => "margin",
        };
        write!(f, "{} by {quantity}{}", vary.join(" "), if self.refine { ", refined" } else { "" })
    }
}

/// `c=0.2,0.4,0.8:log`.
impl fmt::Display for Varied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let values: Vec<String> = self.values.iter().map(f64::to_string).collect();
        write!(f, "{}={}{}", self.name, values.join(","), if self.log { ":log" } else { "" })
    }
}
