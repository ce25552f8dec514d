//! A player against the levels of a game: a match with each of them, and its place among them.

mod result;
mod text;

pub use result::{LadderResult, Rung};
pub use text::{headings, notes, title};

use banyan_catalog::{GameTables, LEVELS};
use banyan_core::TextError;

use crate::config::{MatchConfig, MatchFormat};

/// The names of the rungs of a game, the weakest first.
///
/// # Errors
/// The game has no levels.
pub fn rungs(game: &str, tables: Option<&GameTables>) -> Result<Vec<&'static str>, TextError> {
    let n = tables.map_or(0, |tables| tables.levels.len());
    if n == 0 {
        let expected = "expected a game with levels";
        return Err(TextError::new(
            game,
            expected,
            "`banyan players` lists the levels; others are rated by `banyan rate`",
        ));
    }
    Ok(LEVELS[..n].to_vec())
}

/// Makes a match into a ladder: the first player meets every other.
pub fn ladder(config: MatchConfig) -> MatchConfig {
    MatchConfig { format: MatchFormat::Gauntlet, ..config }
}

/// The player of a ladder, if the match is one: a gauntlet against all levels in their order.
pub fn is_ladder(config: &MatchConfig, tables: Option<&GameTables>) -> bool {
    let Ok(rungs) = rungs(&config.game, tables) else { return false };
    // A level that climbs the ladder itself has its number behind the name of the rung: `level-4 (2)`.
    let opponents = config.players.iter().skip(1).map(|player| player.name.split(" (").next().unwrap_or_default());
    config.format == MatchFormat::Gauntlet && opponents.take(rungs.len()).eq(rungs)
}
