//! The players, as `players --json` lists them.

use banyan_search::{Range, Tunable};
use serde::Serialize;

use crate::players::{LEVELS, Level, PRESETS, Preset};
use crate::registry::{Catalog, Family};
use crate::strength::round;
use crate::view::VERSION;

/// A player with everything that can be set on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerView {
    /// [`VERSION`].
    pub v: u32,
    /// Its name.
    pub player: &'static str,
    /// One-line description.
    pub summary: &'static str,
    /// Its settings; empty if it has none.
    pub settings: Vec<SettingView>,
    /// Its definition in each game, if it is a level.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<LevelView>,
}

/// A level in one game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelView {
    /// Name of the game.
    pub game: &'static str,
    /// Its number there, from 1 on.
    pub level: usize,
    /// The player with its settings and its own budget.
    pub plays: String,
    /// Its rating in Elo, that of `random` being 0.
    pub elo: i32,
    /// Its expected score against the level below, 0 .. 1; `None` for the first.
    pub beats_previous: Option<f64>,
}

/// One setting of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingView {
    /// Its name, as in `uct:name=value`.
    pub name: &'static str,
    /// Its value as text if none is given and the game has no preset with another one.
    pub default: String,
    /// `real`, `whole`, `schedule`, `weights`, `name` or `choice`.
    pub kind: &'static str,
    /// Whether the word `off` is a value too.
    pub off: bool,
    /// Smallest number; `None` for words.
    pub min: Option<f64>,
    /// Largest number; `None` for words.
    pub max: Option<f64>,
    /// A step worth trying when tuning; `None` for words.
    pub step: Option<f64>,
    /// The words that are values; for a `name`, those that most games accept.
    pub words: &'static [&'static str],
    /// Its effect.
    pub help: &'static str,
    /// The publication that it is from; empty if there is none.
    pub source: &'static str,
    /// Whether it only reproduces one published engine or study.
    pub experimental: bool,
}

/// All players except external engines; the levels are those of the games of the catalog.
pub fn players(catalog: &Catalog) -> Vec<PlayerView> {
    let view = |preset: &Preset| PlayerView {
        v: VERSION,
        player: preset.name,
        summary: preset.summary,
        settings: preset.settings.iter().map(|row| setting(preset, row)).collect(),
        levels: Vec::new(),
    };
    let levels = LEVELS.into_iter().map(|name| PlayerView {
        v: VERSION,
        player: name,
        summary: "a player of known strength, which no change of other presets moves",
        settings: Vec::new(),
        levels: levels(catalog, name),
    });
    PRESETS.iter().map(view).chain(levels.filter(|level| !level.levels.is_empty())).collect()
}

/// The level called `name` in each game that has it.
fn levels(catalog: &Catalog, name: &str) -> Vec<LevelView> {
    let in_game = |family: &Family| {
        let (level, found): (usize, &Level) = family.tables.level(name)?;
        let previous = level.checked_sub(2).map(|previous| &family.tables.levels[previous]);
        Some(LevelView {
            game: family.name,
            level,
            plays: found.text(),
            elo: found.elo,
            beats_previous: previous.and_then(|previous| round(found.expected_score(previous.elo), 3)),
        })
    };
    catalog.families().iter().filter_map(in_game).collect()
}

fn setting(preset: &Preset, row: &Tunable) -> SettingView {
    let (kind, off, numbers, words): (_, _, _, &[&str]) = match row.range {
        Range::Real { min, max, step } => ("real", false, Some((min, max, step)), &[]),
        Range::RealOrOff { min, max, step } => ("real", true, Some((min, max, step)), &[]),
        Range::Whole { min, max, step } => ("whole", false, Some((min as f64, max as f64, step as f64)), &[]),
        Range::WholeOrOff { min, max, step } => ("whole", true, Some((min as f64, max as f64, step as f64)), &[]),
        Range::WholeOrAll { min, max, step } => ("whole", false, Some((min as f64, max as f64, step as f64)), &["all"]),
        Range::Schedule => ("schedule", true, None, &[]),
        Range::SquareWeights => ("weights", true, None, &[]),
        Range::Name(words) => ("name", false, None, words),
        Range::Choice(words) => ("choice", false, None, words),
    };
    SettingView {
        name: row.name,
        default: preset.default_of(row),
        kind,
        off,
        min: numbers.map(|(min, ..)| min),
        max: numbers.map(|(_, max, _)| max),
        step: numbers.map(|(.., step)| step),
        words,
        help: row.help,
        source: row.source,
        experimental: row.experimental,
    }
}
