//! Levels of a game instead of players: `--level 3` for `--player level-3`.

use banyan_catalog::LEVELS;
use banyan_core::TextError;
use clap::Args;

/// A level instead of the player of a command.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct LevelArg {
    /// Level of the game instead of a player, 1 to 10 (see `banyan players`).
    #[arg(long, value_name = "N", conflicts_with = "player", value_parser = level_name)]
    level: Option<&'static str>,
}

impl LevelArg {
    /// The name of the level, if one is given.
    pub(crate) fn name(&self) -> Option<&'static str> {
        self.level
    }

    /// The name of the level, or else this player.
    pub(crate) fn or<'a>(&self, player: &'a str) -> &'a str {
        self.level.unwrap_or(player)
    }
}

/// The name of the level with this number, or called so.
///
/// # Errors
/// No level has this number or name.
pub(crate) fn level_name(text: &str) -> Result<&'static str, TextError> {
    let is_it = |name: &&str| name.eq_ignore_ascii_case(text) || name.strip_prefix("level-") == Some(text);
    LEVELS.into_iter().find(is_it).ok_or_else(|| TextError::new(text, "expected a level from 1 to 10", "try --level 3"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_found_by_number_and_by_name() {
        for (text, name) in [("3", "level-3"), ("10", "level-10"), ("level-1", "level-1"), ("Beginner", "beginner")] {
            assert_eq!(level_name(text), Ok(name));
        }
        for text in ["0", "11", "-1", "", "x", "level-", "03"] {
            assert!(level_name(text).is_err(), "{text}");
        }
    }
}
