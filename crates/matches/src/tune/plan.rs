//! The configuration of a tuning: settings with their ranges, and the match that confirms the result.

use std::str::FromStr;

use banyan_catalog::{Entry, GameTables, PlayerSpec, Players, did_you_mean};
use banyan_core::TextError;

use crate::config::{Entrant, MatchConfig, MatchFormat, SprtBounds};
use crate::tune_config::{TuneConfig, TuneMethod, TunedSetting};

/// Bounds of the test that confirms a result, in normalised Elo, and its error rates.
const CONFIRM: SprtBounds = SprtBounds { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05 };

/// A setting and its range as text: `c=0.1..2`, `c=0.1..2:log`.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    name: String,
    low: f64,
    high: f64,
    log: bool,
}

impl FromStr for Range {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Range, TextError> {
        let refused =
            |expected: &str| TextError::new(format!("--vary {text:?}"), expected, "try c=0.1..2 or c=0.1..2:log");
        let (name, range) = text
            .split_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| refused("expected name=low..high"))?;
        let (range, log) = range.strip_suffix(":log").map_or((range, false), |range| (range, true));
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let ends = range.split_once("..").and_then(|(low, high)| Some((number(low)?, number(high)?)));
        let (low, high) = ends.ok_or_else(|| refused("expected name=low..high with two numbers"))?;
        if low >= high {
            return Err(refused("expected a smaller number before .. than behind it"));
        }
        if log && low <= 0.0 {
            return Err(refused("expected numbers above 0 with :log"));
        }
        Ok(Range { name: name.to_owned(), low, high, log })
    }
}

/// Makes a match into a tuning: `player` has other values of the settings in `ranges` in every pair, against `config`'s players.
///
/// # Errors
/// A setting that the player does not have or sets already, a value out of its range, or settings that conflict within their ranges.
pub fn tuning(
    known: &Players,
    tables: Option<&GameTables>,
    player: &str,
    ranges: &[Range],
    (method, confirm): (TuneMethod, u64),
    config: MatchConfig,
) -> Result<MatchConfig, TextError> {
    let (base, _) = Entry::split(player);
    let spec = known.player(base)?;
    let spec = tables.map_or_else(|| Ok(spec.clone()), |tables| spec.in_game(tables))?;
    let vary = ranges.iter().map(|range| setting(range, &spec, base, tables)).collect::<Result<Vec<_>, TextError>>()?;
    let tune = TuneConfig { method, base: spec.to_string(), confirm, vary };
    tune.check(config.pairs)?;
    for player in corners(known, &tune) {
        player?.check_settings(tables.map_or(&[], |tables| tables.presets))?;
    }
    Ok(MatchConfig { format: MatchFormat::Gauntlet, tune: Some(tune), ..config })
}

/// The players at the corners of the ranges, where settings that conflict, or exceed the range of the player, are refused.
pub(super) fn corners(known: &Players, tune: &TuneConfig) -> impl Iterator<Item = Result<PlayerSpec, TextError>> {
    (0..1u32 << tune.vary.len().min(10)).map(move |corner| {
        let value = |(i, row): (usize, &TunedSetting)| if corner >> i & 1 == 1 { row.high } else { row.low };
        let values: Vec<f64> = tune.vary.iter().enumerate().map(value).collect();
        tuned_player(known, tune, &values)
    })
}

fn setting(
    range: &Range,
    spec: &PlayerSpec,
    base: &str,
    tables: Option<&GameTables>,
) -> Result<TunedSetting, TextError> {
    let Range { name, low, high, log } = range.clone();
    let found = format!("--vary {name}");
    let Some(row) = spec.settings().iter().find(|row| row.name == name) else {
        let names: Vec<&str> = spec.settings().iter().map(|row| row.name).collect();
        let hint = did_you_mean(&name, names.iter().copied());
        return Err(TextError::new(found, format!("expected a setting of {spec}{hint}"), "see `banyan players`"));
    };
    let settings = base.split_once(':').map_or("", |(_, settings)| settings);
    if settings.split(',').any(|setting| setting.split('=').next() == Some(&name)) {
        let expected = format!("expected {name} in --vary only, but {base} sets it too");
        return Err(TextError::new(found, expected, format!("remove {name}= from the player")));
    }
    let Some([min, max]) = row.range.ends() else {
        let expected = format!("expected a setting that is a number, not one of {}", row.range);
        return Err(TextError::new(found, expected, "compare words by `banyan match`"));
    };
    if let Some(value) = [low, high].into_iter().find(|value| !(min..=max).contains(value)) {
        return Err(TextError::new(
            format!("{found}: {value}"),
            format!("expected {min} .. {max}"),
            "choose a range within",
        ));
    }
    let (default, whole) = (spec.number(&name, tables), row.range.is_whole());
    Ok(TunedSetting { whole, name, log, low, high, default })
}

/// The settings with these values as text: `c=0.52,expand-at=3`.
pub(super) fn settings_text(tune: &TuneConfig, values: &[f64]) -> String {
    let settings = tune.vary.iter().zip(values).map(|(row, value)| format!("{}={value}", row.name));
    settings.collect::<Vec<_>>().join(",")
}

/// The player with these values of the tuned settings.
///
/// # Errors
/// Values that conflict with each other or with another setting.
pub fn tuned_player(known: &Players, tune: &TuneConfig, values: &[f64]) -> Result<PlayerSpec, TextError> {
    let (name, settings) = tune.base.split_once(':').unwrap_or((&tune.base, ""));
    let is_kept = |setting: &&str| {
        !setting.is_empty() && tune.vary.iter().all(|row| setting.split('=').next() != Some(row.name.as_str()))
    };
    let kept: Vec<&str> = settings.split(',').filter(is_kept).collect();
    let tuned = settings_text(tune, values);
    known.player(&format!("{name}:{}", kept.into_iter().chain([tuned.as_str()]).collect::<Vec<_>>().join(",")))
}

/// The match of the tuned player against the default with a sequential test; `None` if they are the same or none is wanted.
///
/// # Errors
/// Values that conflict with each other or with another setting.
pub fn confirmation(known: &Players, config: &MatchConfig, values: &[f64]) -> Result<Option<MatchConfig>, TextError> {
    let Some(tune) = config.tune.as_ref().filter(|tune| tune.confirm > 0) else { return Ok(None) };
    let default = &config.players[0];
    let player = tuned_player(known, tune, values)?;
    if player == known.player(&default.player)? {
        return Ok(None);
    }
    let tuned = Entrant { name: "tuned".to_owned(), player: player.to_string(), ..default.clone() };
    let default = Entrant { name: "default".to_owned(), ..default.clone() };
    Ok(Some(MatchConfig {
        format: MatchFormat::RoundRobin,
        pairs: tune.confirm,
        // Other openings than those on which the settings were tuned.
        seed: config.seed ^ 1 << 40,
        sprt: Some(CONFIRM),
        tune: None,
        players: vec![tuned, default],
        ..config.clone()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match text.parse::<Range>() {
            Ok(Range { name, low, high, log }) => format!("{name} {low} {high}{}", if log { " log" } else { "" }),
            Err(err) => err.to_string(),
        };
        assert!(found.contains(expected) && !found.contains('\n'), "{text}: {found}");
    }

    #[test]
    fn ranges_have_two_rising_ends() {
        check("c=0.1..2", "c 0.1 2");
        check("c=0.1..2:log", "c 0.1 2 log");
        check("expand-at=1..8", "expand-at 1 8");
        check("c=2..1", "a smaller number before ..");
        check("c=1..1", "a smaller number before ..");
        check("c=0..1:log", "above 0 with :log");
        check("c", "expected name=low..high");
        check("c=1,2", "with two numbers");
        check("c=nan..2", "with two numbers");
    }
}
