//! Levels of play: numbered players of known strength, independent of changes to other presets.

use banyan_core::TextError;

use super::presets::PRESETS;
use super::tables::GameTables;
use super::{Kind, PlayerSpec};

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

impl GameTables {
    /// The level of this name, and its number from 1 on.
    pub fn level(&self, name: &str) -> Option<(usize, &'static Level)> {
        let is_named = |(i, level): &(usize, &Level)| LEVELS.get(*i) == Some(&name) || level.also == Some(name);
        self.levels.iter().enumerate().find(is_named).map(|(i, level)| (i + 1, level))
    }

    /// The player of the level called `name`.
    ///
    /// # Errors
    /// The game does not have this level.
    pub(super) fn player_of_level(&self, name: &str) -> Result<PlayerSpec, TextError> {
        let Some((_, level)) = self.level(name) else {
            let last = self.levels.len().min(LEVELS.len());
            let expected = match last {
                0 => "expected another player, for this game has no levels".to_owned(),
                last => format!("expected {} .. {}, the levels of this game", LEVELS[0], LEVELS[last - 1]),
            };
            return Err(TextError::new(format!("player {name}"), expected, "`banyan players` lists them"));
        };
        let player: PlayerSpec = level.text().parse()?;
        debug_assert!(!matches!(player.kind, Kind::Level(_) | Kind::Best(_)), "a level is a player of its own");
        debug_assert!(player.handicap.has_budget(), "a level has a budget of its own");
        Ok(PlayerSpec { handicap: player.handicap.timeless(), ..player })
    }
}
