//! What a sweep varies, as a part of match.toml.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The settings that a sweep varies. The players after the first are their values, those of the last setting changing fastest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepConfig {
    /// What is measured.
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
    /// The value that the player has without the sweep; absent if that is no number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<f64>,
}

/// What a sweep measures, as the mean over the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// Points per game: a win 1, a draw 1/2.
    #[default]
    Score,
    /// The final margin, in the points of the game.
    Margin,
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
