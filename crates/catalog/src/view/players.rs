//! The players, as `players --json` lists them.

use banyan_search::{Range, Tunable};
use serde::Serialize;

use super::VERSION;
use crate::players::{PRESETS, Preset};

/// A player with everything that can be set on it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerView {
    /// [`VERSION`].
    pub v: u32,
    /// Its name.
    pub player: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// Its settings; empty where nothing can be set.
    pub settings: Vec<SettingView>,
}

/// One setting of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SettingView {
    /// Its name, as in `uct:name=value`.
    pub name: &'static str,
    /// Its value where none is given, as text.
    pub default: &'static str,
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
    /// The words it takes; for a `name`, those that most games know.
    pub words: &'static [&'static str],
    /// Its effect.
    pub help: &'static str,
    /// The publication it is from; empty where there is none.
    pub source: &'static str,
    /// Whether it only reproduces one published engine or study.
    pub experimental: bool,
}

/// Every player that is no external engine.
pub fn players() -> Vec<PlayerView> {
    let view = |preset: &Preset| PlayerView {
        v: VERSION,
        player: preset.name,
        summary: preset.summary,
        settings: preset.settings.iter().map(setting).collect(),
    };
    PRESETS.iter().map(view).collect()
}

fn setting(row: &Tunable) -> SettingView {
    let (kind, off, numbers, words): (_, _, _, &[&str]) = match row.range {
        Range::Real { min, max, step } => ("real", false, Some((min, max, step)), &[]),
        Range::RealOrOff { min, max, step } => ("real", true, Some((min, max, step)), &[]),
        Range::Whole { min, max, step } => ("whole", false, Some((min as f64, max as f64, step as f64)), &[]),
        Range::WholeOrOff { min, max, step } => ("whole", true, Some((min as f64, max as f64, step as f64)), &[]),
        Range::Schedule => ("schedule", true, None, &[]),
        Range::SquareWeights => ("weights", true, None, &[]),
        Range::Name(words) => ("name", false, None, words),
        Range::Choice(words) => ("choice", false, None, words),
    };
    SettingView {
        name: row.name,
        default: row.default,
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
