//! Levels of play: numbered players of known strength, independent of changes to other presets.

use super::presets::PRESETS;

/// A level of a game, defined in the family of that game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The preset and the settings in which its search differs from the [neutral](banyan_search::Tunable::neutral) one, so
    /// that no change of a default changes the level; and its own budget.
    pub player: &'static str,
    /// Its rating in Elo, that of `random` being 0, as recorded in experiments/ratings.
    pub elo: i32,
    /// Another name for it in this game, one of the last of [`LEVELS`].
    pub also: Option<&'static str>,
}

/// The names of levels: ten numbers, and three words that some games have.
pub const LEVELS: [&str; 13] = [
    "level-1",
    "level-2",
    "level-3",
    "level-4",
    "level-5",
    "level-6",
    "level-7",
    "level-8",
    "level-9",
    "level-10",
    "beginner",
    "intermediate",
    "advanced",
];

impl Level {
    /// The chance of winning against a player of the rating `elo`, a draw counting half.
    pub fn expected_score(&self, elo: i32) -> f64 {
        1.0 / (1.0 + 10f64.powf(f64::from(elo - self.elo) / 400.0))
    }

    /// The player with every setting, and with its own budget.
    pub fn text(&self) -> String {
        let (name, settings) = self.player.split_once(':').unwrap_or((self.player, ""));
        let rows = PRESETS.iter().find(|preset| preset.name == name).map_or(&[][..], |preset| preset.settings);
        let given: Vec<(&str, &str)> = settings.split(',').filter_map(|setting| setting.split_once('=')).collect();
        let value_of = |name: &str| given.iter().find(|(given, _)| *given == name).map(|&(_, value)| value);
        let of_search = rows.iter().map(|row| (row.name, value_of(row.name).unwrap_or(row.neutral)));
        let others = given.iter().copied().filter(|(name, _)| rows.iter().all(|row| row.name != *name));
        let all: Vec<String> = of_search.chain(others).map(|(name, value)| format!("{name}={value}")).collect();
        format!("{name}:{}", all.join(","))
    }
}
