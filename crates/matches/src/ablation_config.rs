//! The configuration of an ablation, as a part of match.toml.

use std::fmt;

use banyan_core::TextError;
use banyan_texts::Language;
use serde::{Deserialize, Serialize};

/// The variants of a player that an ablation compares with it. The players are a group for each budget: the player, and its variants in
/// the order of the rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AblationConfig {
    /// The player as it was requested.
    pub player: String,
    /// The budgets, at each of which every row is played.
    pub budgets: Vec<String>,
    /// The variants.
    pub rows: Vec<AblationRow>,
    /// Settings that could not be switched off alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<KeptSetting>,
}

/// A variant of the player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AblationRow {
    /// Its name in reports; the settings if none was given.
    pub name: String,
    /// The settings in which it differs: `select=ucb1-tuned`.
    pub settings: String,
    /// The values of the player in their place: `select=ucb1`.
    pub instead_of: String,
    /// A remark for readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The publication from which it comes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paper: Option<String>,
}

/// A setting that stays as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptSetting {
    /// The setting with its value.
    pub setting: String,
    /// Why it was not switched off.
    #[serde(default)]
    pub kind: KeptKind,
    /// The error that refuses its neutral value, or else the kind in words; in English.
    pub reason: String,
}

/// Why a setting stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeptKind {
    /// Another setting needs it.
    #[default]
    Needed,
    /// It is a limit of memory or threads, not a feature.
    Resource,
}

impl KeptSetting {
    /// Why it was not switched off, in a language.
    pub fn in_words(&self, language: Language) -> String {
        match self.kind {
            KeptKind::Needed => language.say("ablation.needed", &[("reason", &self.reason)]),
            KeptKind::Resource => language.say("ablation.resource", &[]),
        }
    }
}

impl AblationConfig {
    /// Number of comparisons: every row at every budget.
    pub fn n_comparisons(&self) -> usize {
        self.rows.len() * self.budgets.len()
    }

    /// Checks an ablation with `n_players` players in all groups.
    ///
    /// # Errors
    /// No row or no budget, one of them given twice, or another number of players.
    pub fn check(&self, n_players: usize) -> Result<(), TextError> {
        let refused =
            |found: String, expected: &str| Err(TextError::new(found, expected, "use a new folder with --out"));
        let budgets: Vec<&str> = self.budgets.iter().map(String::as_str).collect();
        let rows: Vec<&str> = self.rows.iter().map(|row| row.name.as_str()).collect();
        for (what, names) in [("budget", budgets), ("row", rows)] {
            if names.is_empty() {
                return refused(format!("an ablation without a {what}"), "expected at least one");
            }
            if let Some((_, name)) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
                return refused(format!("{what} {name:?}"), "expected each once, found it twice");
            }
        }
        if Some(n_players) != (self.rows.len() + 1).checked_mul(self.budgets.len()) {
            let found = format!("{n_players} players of {} rows at {} budgets", self.rows.len(), self.budgets.len());
            return refused(found, "expected the player and each row at each budget");
        }
        Ok(())
    }
}

/// `proof=off; c 1: c=1 in mcgs at playouts=2000, 10ms`.
impl fmt::Display for AblationConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = |row: &AblationRow| match row.name == row.settings {
            true => row.settings.clone(),
            false => format!("{}: {}", row.name, row.settings),
        };
        let rows: Vec<String> = self.rows.iter().map(row).collect();
        write!(f, "{} in {} at {}", rows.join("; "), self.player, self.budgets.join(", "))
    }
}
