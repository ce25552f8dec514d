//! The values of a sweep: text such as `c=0.2..2/10`, and the players that they make.

use std::str::FromStr;

use banyan_catalog::{Budget, Entry, GameTables, Players, did_you_mean};
use banyan_core::TextError;
use banyan_search::Tunable;

use crate::config::{Entrant, MatchConfig};
use crate::sweep_config::{SweepConfig, Varied};

/// Most values of all settings together, against typing errors.
const MOST_PLAYERS: usize = 1000;
/// Parts into which the second stage divides a step: from steps of 5 to steps of 1, as in published studies.
const PARTS: f64 = 5.0;

/// A setting and its values as text: `c=0.2..2/10`, ten values with equal steps; `c=0.2..2/10:log`, equal ratios;
/// `c=0.2,0.4,0.8`, these; `:log` behind them fits the curve over their logarithms.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    name: String,
    values: Vec<f64>,
    log: bool,
}

impl FromStr for Vary {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Vary, TextError> {
        let refused = |expected: &str| TextError::new(format!("--vary {text:?}"), expected, "try c=0.2..2/10");
        let (name, values) =
            text.split_once('=').filter(|(name, _)| !name.is_empty()).ok_or_else(|| refused("expected name=values"))?;
        let (values, log) = values.strip_suffix(":log").map_or((values, false), |values| (values, true));
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        let mut values = match values.split_once("..") {
            None => values.split(',').map(number).collect::<Option<Vec<f64>>>(),
            Some((low, rest)) => rest.split_once('/').and_then(|(high, n)| {
                let n = n.parse::<u32>().ok().filter(|n| (3..=MOST_PLAYERS as u32).contains(n))?;
                Some(steps(number(low)?, number(high)?, n, log))
            }),
        }
        .ok_or_else(|| refused("expected A..B/N with at least three values, or numbers separated by commas"))?;
        if log && values.iter().any(|x| x.is_nan() || *x <= 0.0) {
            return Err(refused("expected values above 0 with :log"));
        }
        values.sort_by(f64::total_cmp);
        values.dedup();
        if values.len() < 3 {
            return Err(refused("expected at least three different values"));
        }
        Ok(Vary { name: name.to_owned(), values, log })
    }
}

/// `n` values from `low` to `high`.
fn steps(low: f64, high: f64, n: u32, log: bool) -> Vec<f64> {
    let part = |i: u32| f64::from(i) / f64::from(n - 1);
    let value = |i: u32| if log { low * (high / low).powf(part(i)) } else { low + (high - low) * part(i) };
    (0..n).map(value).map(rounded).collect()
}

/// Rounds to six digits, which are enough for a setting and keep names short.
fn rounded(x: f64) -> f64 {
    format!("{x:.5e}").parse().expect("a number that was printed")
}

/// The players of a sweep.
#[derive(Clone, Debug)]
pub struct Entrants {
    /// The opponent first, then the values.
    pub players: Vec<Entrant>,
    /// The settings that they vary.
    pub vary: Vec<Varied>,
}

/// The players made of `player` with the values of `vary`, against `opponent`. Both may name their budget behind an @.
///
/// # Errors
/// An invalid player; a setting that it does not have or that is set already; a value out of its range, or incompatible with another
/// setting; no setting, or more than two.
pub fn with_values(
    known: &Players,
    tables: Option<&GameTables>,
    [player, opponent]: [&str; 2],
    vary: &[Vary],
    budget: &Budget,
) -> Result<Entrants, TextError> {
    if vary.is_empty() {
        let expected = "expected one setting with its values, or two";
        return Err(TextError::new("a sweep of no setting", expected, "try c=0.2..2/10"));
    }
    let (base, own_budget) = Entry::split(player);
    let spec = match tables {
        Some(tables) => known.player(base)?.in_game(tables)?,
        None => known.player(base)?,
    };
    let varied = vary.iter().map(|vary| {
        let Some(row) = spec.settings().iter().find(|row| row.name == vary.name) else {
            let names: Vec<&str> = spec.settings().iter().map(|row| row.name).collect();
            let hint = did_you_mean(&vary.name, names.iter().copied());
            let expected = format!("expected a setting of {spec}{hint}");
            return Err(TextError::new(format!("--vary {}", vary.name), expected, "see `banyan players`"));
        };
        if settings_of(base).any(|name| name == vary.name) {
            let expected = format!("expected {0} in --vary only, but {base} sets it too", vary.name);
            return Err(TextError::new(player, expected, format!("remove {}= from the player", vary.name)));
        }
        Ok(Varied {
            name: vary.name.clone(),
            log: vary.log,
            whole: row.range.is_whole(),
            values: in_row(vary, row)?,
            default: spec.number(&vary.name, tables),
        })
    });
    let varied = varied.collect::<Result<Vec<Varied>, TextError>>()?;
    if let [one, other, ..] = varied.as_slice()
        && (varied.len() > 2 || one.name == other.name)
    {
        let found =
            format!("--vary {}", varied.iter().map(|varied| varied.name.as_str()).collect::<Vec<_>>().join(" and "));
        return Err(TextError::new(found, "expected one setting, or two different ones", "remove one --vary"));
    }
    let n: usize = varied.iter().map(|varied| varied.values.len()).product();
    if n > MOST_PLAYERS {
        return Err(TextError::new(format!("{n} values"), format!("expected at most {MOST_PLAYERS}"), "take fewer"));
    }
    let mark = own_budget.map_or(String::new(), |budget| format!("@{budget}"));
    let texts = places(&varied).into_iter().map(|values| {
        let settings: Vec<String> =
            varied.iter().zip(values).map(|(row, value)| format!("{}={value}", row.name)).collect();
        let joint = if !base.contains(':') {
            ":"
        } else if base.ends_with(':') {
            ""
        } else {
            ","
        };
        format!("{base}{joint}{}{mark}", settings.join(","))
    });
    let texts: Vec<String> = std::iter::once(opponent.to_owned()).chain(texts).collect();
    let mut players = Entrant::list(known, &texts, budget)?;
    if let Some(tables) = tables {
        players = players.into_iter().map(|entrant| entrant.in_game(known, tables)).collect::<Result<_, _>>()?;
    }
    Ok(Entrants { players, vary: varied })
}

/// The names of the settings in the text of a player.
fn settings_of(player: &str) -> impl Iterator<Item = &str> {
    let settings = player.split_once(':').map_or("", |(_, settings)| settings);
    settings.split(',').filter_map(|setting| setting.split('=').next())
}

/// The values of a setting that is varied; those of a whole number are rounded.
fn in_row(vary: &Vary, row: &Tunable) -> Result<Vec<f64>, TextError> {
    let Some([min, max]) = row.range.ends() else {
        let expected = format!("expected a setting that is a number, not one of {}", row.range);
        return Err(TextError::new(format!("--vary {}", vary.name), expected, "compare words by `banyan match`"));
    };
    if let Some(value) = vary.values.iter().find(|value| !(min..=max).contains(*value)) {
        let found = format!("--vary {}: {value}", vary.name);
        return Err(TextError::new(found, format!("expected {min} .. {max}"), "choose values in this range"));
    }
    let mut values = vary.values.clone();
    if row.range.is_whole() {
        values.iter_mut().for_each(|value| *value = value.round());
        values.dedup();
        if values.len() < 3 {
            let found = format!("--vary {}", vary.name);
            return Err(TextError::new(found, "expected at least three whole numbers", "take a wider range"));
        }
    }
    Ok(values)
}

/// The values of all players, those of the last setting changing fastest.
pub(crate) fn places(vary: &[Varied]) -> Vec<Vec<f64>> {
    vary.iter().fold(vec![Vec::new()], |places, row| {
        let extended = |place: &Vec<f64>| {
            let place = place.clone();
            row.values.iter().map(move |&value| place.iter().copied().chain([value]).collect::<Vec<f64>>())
        };
        places.iter().flat_map(extended).collect()
    })
}

/// The second stage of a sweep: a fifth of the step from the value before the optimum to the value after it. The rounds, and so the
/// openings and seeds, are those of the first stage; values that it has played are left out. `None` if none are left.
///
/// # Errors
/// A player that cannot be read although the first stage could, or a configuration that is not a sweep.
pub fn finer(
    known: &Players,
    config: &MatchConfig,
    sweep: &SweepConfig,
    optimum: &[f64],
) -> Result<Option<MatchConfig>, TextError> {
    sweep.check(config.players.len())?;
    let ([row], &[optimum]) = (sweep.vary.as_slice(), optimum) else { return Ok(None) };
    let values = around(row, optimum);
    if values.is_empty() {
        return Ok(None);
    }
    let first = &config.players[1];
    let entrant = |value: f64| -> Result<Entrant, TextError> {
        let player = with_value(&first.player, &row.name, value);
        let name = with_value(&first.name, &row.name, value);
        Ok(Entrant { name, player: known.player(&player)?.to_string(), ..first.clone() })
    };
    let values_played = values.iter().map(|&value| entrant(value)).collect::<Result<Vec<_>, TextError>>()?;
    let players = std::iter::once(config.players[0].clone()).chain(values_played).collect();
    let vary = vec![Varied { values, ..row.clone() }];
    let sweep = SweepConfig { vary, ..sweep.clone() };
    Ok(Some(MatchConfig { players, sweep: Some(sweep), ..config.clone() }))
}

/// The new values around the optimum.
fn around(row: &Varied, optimum: f64) -> Vec<f64> {
    if row.values.len() < 2 {
        return Vec::new();
    }
    let at = row.values.partition_point(|&value| value < optimum);
    let low = row.values[at.saturating_sub(1).min(row.values.len() - 2)];
    let high = row.values[at.clamp(1, row.values.len() - 1)];
    // One step to either side of the optimum.
    let fine = |i: i32| {
        let part = f64::from(i) / PARTS;
        if row.log { optimum * (high / low).powf(part) } else { optimum + (high - low) * part }
    };
    let ends = row.values[0]..=row.values[row.values.len() - 1];
    let mut values: Vec<f64> = (-(PARTS as i32) + 1..PARTS as i32).map(fine).map(rounded).collect();
    if row.whole {
        values.iter_mut().for_each(|value| *value = value.round());
    }
    values.dedup();
    values.retain(|value| ends.contains(value) && !row.values.contains(value));
    values
}

/// The text of a player with another value of a setting that it names.
fn with_value(player: &str, name: &str, value: f64) -> String {
    let (player, budget) = Entry::split(player);
    let budget = budget.map_or(String::new(), |budget| format!("@{budget}"));
    let (preset, settings) = player.split_once(':').unwrap_or((player, ""));
    let settings: Vec<String> = settings
        .split(',')
        .filter(|setting| !setting.is_empty() && setting.split('=').next() != Some(name))
        .map(str::to_owned)
        .chain([format!("{name}={value}")])
        .collect();
    format!("{preset}:{}{budget}", settings.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found = match text.parse::<Vary>() {
            Ok(Vary { values, log, .. }) => format!("{values:?}{}", if log { " log" } else { "" }),
            Err(err) => err.to_string(),
        };
        assert!(found.contains(expected), "{text}: {found}");
    }

    #[test]
    fn values_are_steps_ratios_or_lists() {
        check("c=0.2..2.0/10", "[0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0]");
        check("c=0.1..1.6/5:log", "[0.1, 0.2, 0.4, 0.8, 1.6] log");
        check("c=2..0.5/4", "[0.5, 1.0, 1.5, 2.0]");
        check("c=0.8,0.2,0.4,0.2:log", "[0.2, 0.4, 0.8] log");
        check("c=0.1,0.2", "at least three different values");
        check("c=1..1/5", "at least three different values");
        check("c=0..1/5:log", "above 0 with :log");
        check("c", "expected name=values");
        check("c=1..2", "A..B/N");
        check("c=1..2/2", "A..B/N");
        check("c=off,1,2", "A..B/N");
        check("c=nan,1,2", "A..B/N");
    }

    #[test]
    fn the_second_stage_divides_a_step_by_five_and_repeats_no_value() {
        let row = |values: &[f64], log, whole| Varied {
            name: "c".into(),
            log,
            whole,
            values: values.to_vec(),
            default: None,
        };
        let values = around(&row(&[0.0, 5.0, 10.0, 15.0], false, true), 6.0);
        assert_eq!(values, [2.0, 3.0, 4.0, 6.0, 7.0, 8.0, 9.0]);
        let values = around(&row(&[0.0, 5.0, 10.0], false, false), 10.0);
        assert_eq!(values, [6.0, 7.0, 8.0, 9.0]);
        let values = around(&row(&[1.0, 32.0, 1024.0], true, false), 32.0);
        assert_eq!(values, [2.0, 4.0, 8.0, 16.0, 64.0, 128.0, 256.0, 512.0]);
        // Values that are rounded to the same number are one player.
        let values = around(&row(&[0.5, 0.500002, 0.500004], false, false), 0.500002);
        assert_eq!(values, [0.500001, 0.500003]);
    }
}
