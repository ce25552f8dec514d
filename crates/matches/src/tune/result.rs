//! The result of a tuning, computed from its games alone: tune.json, and the data of its page.

use std::fmt::Display;

use std::collections::BTreeMap;
use std::sync::Arc;

use banyan_arena::stats::Interval;
use banyan_arena::tuning::{ClopFit, Trial};
use banyan_catalog::pairs::GameLine;
use banyan_catalog::strength::{Span, round, signed, span};
use banyan_catalog::view::VERSION;
use banyan_core::TextError;
use banyan_texts::Language;
use serde::{Deserialize, Serialize};

use super::run::{Search, Tuner, score_of};
use crate::config::MatchConfig;
use crate::summary::Summary;
use crate::tune_config::{TuneConfig, TuneMethod, TunedSetting};

/// Points of the trajectory, and of a curve.
const CHECKPOINTS: u64 = 20;
const CURVE_STEPS: u32 = 40;

/// Parts of a range whose trials are shown together.
const PARTS: usize = 12;

/// Cells of a heat map along each side.
const CELLS: u32 = 16;

/// A tuning, finished or not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneResult {
    /// [`VERSION`].
    pub v: u32,
    /// The game.
    pub game: String,
    /// The player without the tuned settings.
    pub player: String,
    /// The opponents; with SPSA, the player itself with other values.
    pub opponents: Vec<String>,
    /// The method.
    pub method: TuneMethod,
    /// Pairs played.
    pub pairs: u64,
    /// Pairs with the values of the opponent, whose score is known without games.
    #[serde(default)]
    pub skipped: u64,
    /// Pairs planned.
    pub of: u64,
    /// The settings with the values found.
    pub settings: Vec<TunedValue>,
    /// The tuned player, if there are values.
    pub tuned: Option<String>,
    /// The fitted score of the values found.
    pub score: Option<f64>,
    /// The fitted score of the default.
    pub score_of_default: Option<f64>,
    /// Sum of the weights of the trials: the number of trials that the result is based on.
    pub effective: Option<f64>,
    /// The values found during the tuning.
    pub trajectory: Vec<Waypoint>,
    /// The fitted score of two settings: `[first value, second value, score]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub surface: Vec<[f64; 3]>,
    /// The match of the tuned player against the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// The conclusion in words.
    pub conclusion: String,
}

/// A setting and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TunedValue {
    /// Its name.
    pub name: String,
    /// Whether its logarithm is tuned.
    pub log: bool,
    /// The range.
    pub range: [f64; 2],
    /// Its value without tuning.
    pub default: Option<f64>,
    /// The value found, with its 95 % interval from CLOP; nulls with too few pairs.
    pub found: Span,
    /// Mean results of the trials in parts of the range, over all other values: `[value, score, trials]`.
    pub parts: Vec<[f64; 3]>,
    /// The fitted score over the range, with the other settings at the values found: `[value, score]`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<[f64; 2]>,
}

/// The values found after some of the pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Waypoint {
    /// Pairs so far.
    pub pairs: u64,
    /// Values with their intervals, in the order of the settings.
    pub values: Vec<Span>,
}

/// The test of the tuned player against the default.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmation {
    /// Pairs played.
    pub pairs: u64,
    /// Elo of the tuned player over the default.
    pub elo: Span,
    /// `H1`, the tuned player is stronger; `H0`, it is not; `continue`, undecided.
    pub decision: String,
}

impl Confirmation {
    /// The result of a confirming match; `None` before its first pair.
    pub fn of(config: &MatchConfig, lines: &[GameLine]) -> Option<Confirmation> {
        let summary = Summary::of(config, lines);
        let pairing = summary.pairings.first()?;
        let decision = pairing.sprt.as_ref()?.decision.clone();
        Some(Confirmation { pairs: pairing.pairs, elo: pairing.strength.elo, decision })
    }
}

/// The estimate of a method after some pairs.
struct Found {
    /// Coordinates with their intervals.
    places: Vec<Interval>,
    fit: Option<ClopFit>,
}

impl TuneResult {
    /// The result of a tuning and, if it was played, of the match that confirms it.
    ///
    /// # Errors
    /// A match that is not a tuning, or games with settings that cannot be read.
    pub fn of(
        config: &MatchConfig,
        lines: &[GameLine],
        confirmation: Option<Confirmation>,
    ) -> Result<TuneResult, TextError> {
        let tuner = Tuner::new(config)?;
        let tune = config.tune.as_ref().expect("the tuner has checked it");
        let pairs = complete(lines);
        let trials = trials(tune, &pairs)?;
        let (found, trajectory, skipped) = match tune.method {
            TuneMethod::Clop => by_clop(tuner, tune, &pairs)?,
            TuneMethod::Spsa => by_spsa(tuner, tune, &pairs)?,
        };
        let fit = found.as_ref().and_then(|found| found.fit.as_ref());
        let places = found.as_ref().map(|found| found.places.as_slice());
        let optimum: Option<Vec<f64>> = places.map(|places| places.iter().filter_map(|place| place.mid).collect());
        let settings: Vec<TunedValue> = tune
            .vary
            .iter()
            .enumerate()
            .map(|(axis, row)| TunedValue {
                name: row.name.clone(),
                log: row.log,
                range: [row.low, row.high],
                default: row.default,
                found: places.map_or([None; 3], |places| values(row, places[axis])),
                parts: parts(axis, row, &trials),
                curve: optimum.as_ref().zip(fit).map_or(Vec::new(), |(at, fit)| curve(axis, row, at, fit)),
            })
            .collect();
        let default: Option<Vec<f64>> =
            tune.vary.iter().map(|row| row.default.map(|default| row.coordinate(default))).collect();
        let score = |at: &Option<Vec<f64>>| round(fit?.score(at.as_ref()?), 6);
        let (score, score_of_default) = (score(&optimum), score(&default));
        let tuned: Option<Vec<f64>> = settings.iter().map(|setting| setting.found[1]).collect();
        let mut result = TuneResult {
            v: VERSION,
            game: config.game.clone(),
            player: tune.base.clone(),
            opponents: config.players[1..].iter().map(|player| player.name.clone()).collect(),
            method: tune.method,
            pairs: pairs.len() as u64,
            skipped,
            of: config.pairs * (config.players.len() as u64 - 1),
            tuned: tuned.map(|values| super::plan::settings_text(tune, &values)),
            score,
            score_of_default,
            effective: fit.and_then(|fit| round(fit.effective, 1)),
            trajectory,
            surface: fit.map_or(Vec::new(), |fit| surface(tune, fit)),
            settings,
            confirmation,
            conclusion: String::new(),
        };
        result.conclusion = result.in_words(tune.confirm > 0, Language::En);
        Ok(result)
    }

    /// The values found, in the order of the settings.
    pub fn values(&self) -> Option<Vec<f64>> {
        self.settings.iter().map(|setting| setting.found[1]).collect()
    }

    /// The conclusion in a language. `is_confirmed`: whether a match of the values found against the default is planned.
    pub(crate) fn in_words(&self, is_confirmed: bool, language: Language) -> String {
        let Some(tuned) = &self.tuned else { return language.say("tune.too-few", &[]) };
        let may_be_best = |setting: &TunedValue| {
            let [Some(low), _, Some(high)] = setting.found else { return false };
            setting.default.is_some_and(|default| (low..=high).contains(&default))
        };
        let words = match &self.confirmation {
            Some(Confirmation { decision, elo, pairs }) => {
                let elo = signed(*elo);
                let params: [(&str, &dyn Display); 2] = [("elo", &elo), ("n", pairs)];
                match decision.as_str() {
                    "H1" => language.say("tune.confirmed", &params),
                    "H0" => language.say("tune.not-confirmed", &params),
                    _ => language.say("tune.undecided", &params),
                }
            }
            None if self.settings.iter().all(may_be_best) => language.say("tune.equal", &[]),
            None if self.settings.iter().all(|setting| setting.found[1] == setting.default) => {
                language.say("tune.is-default", &[])
            }
            None if is_confirmed => language.say("tune.to-confirm", &[]),
            None => language.say("tune.not-tested", &[]),
        };
        language.say("tune.conclusion", &[("settings", tuned), ("words", &words)])
    }
}

/// The pairs of which both games are present, in the order of their numbers.
fn complete(lines: &[GameLine]) -> Vec<[Arc<GameLine>; 2]> {
    let mut games: BTreeMap<u64, [Option<Arc<GameLine>>; 2]> = BTreeMap::new();
    for line in lines {
        games.entry(line.pair).or_default()[usize::from(line.game != 0)] = Some(Arc::new(line.clone()));
    }
    games.into_values().filter_map(|[one, other]| Some([one?, other?])).collect()
}

/// The settings of the first player of each pair, and its score.
fn trials(tune: &TuneConfig, pairs: &[[Arc<GameLine>; 2]]) -> Result<Vec<Trial>, TextError> {
    let trial = |pair: &[Arc<GameLine>; 2]| {
        let text = pair[0].tuned.first().map_or("", String::as_str);
        let value = |row: &TunedSetting| {
            let setting = text.split(',').find_map(|setting| setting.strip_prefix(&row.name)?.strip_prefix('='));
            let value = setting.and_then(|value| value.parse().ok());
            value.map(|value| row.coordinate(value)).ok_or_else(|| {
                let found = format!("pair {} with {text:?}", pair[0].pair);
                TextError::new(found, format!("expected a value of {}", row.name), "restore games.jsonl")
            })
        };
        let x = tune.vary.iter().map(value).collect::<Result<_, TextError>>()?;
        Ok(Trial { x, score: score_of(pair), is_played: true })
    };
    pairs.iter().map(trial).collect()
}

/// The final estimate, the trajectory, and the number of pairs that were not played.
type Traced = (Option<Found>, Vec<Waypoint>, u64);

fn by_clop(mut tuner: Tuner, tune: &TuneConfig, pairs: &[[Arc<GameLine>; 2]]) -> Result<Traced, TextError> {
    let n = pairs.len() as u64;
    let checkpoints: Vec<u64> = (1..=CHECKPOINTS).map(|i| n * i / CHECKPOINTS).collect();
    let mut trajectory = Vec::new();
    let mut last = None;
    let mut skipped = 0;
    for (n, pair) in (1..).zip(pairs) {
        if !tuner.has_chosen(pair[0].pair) {
            tuner.choose();
        }
        tuner.count(pair)?;
        let Search::Clop(clop, trials) = &tuner.search else { break };
        if checkpoints.contains(&n)
            && let Some(fit) = clop.fit(trials)
        {
            let spans = tune.vary.iter().zip(&fit.intervals).map(|(row, place)| values(row, *place));
            trajectory.push(Waypoint { pairs: n, values: spans.collect() });
            last = Some(fit);
        }
        skipped = trials.iter().filter(|trial| !trial.is_played).count() as u64;
    }
    Ok((last.map(|fit| Found { places: fit.intervals.clone(), fit: Some(fit) }), trajectory, skipped))
}

fn by_spsa(mut tuner: Tuner, tune: &TuneConfig, pairs: &[[Arc<GameLine>; 2]]) -> Result<Traced, TextError> {
    let known = |x: &f64| Interval { low: None, mid: Some(*x), high: None };
    let mut trajectory: Vec<Waypoint> = Vec::new();
    let step = (pairs.len() as u64 / CHECKPOINTS).max(1);
    for (n, pair) in (1..).zip(pairs) {
        if !tuner.has_chosen(pair[0].pair) {
            tuner.choose();
        }
        tuner.count(pair)?;
        if let Search::Spsa(spsa) = &tuner.search
            && n % step == 0
        {
            let spans = tune.vary.iter().zip(spsa.now()).map(|(row, x)| values(row, known(x)));
            trajectory.push(Waypoint { pairs: n, values: spans.collect() });
        }
    }
    let Search::Spsa(spsa) = &tuner.search else { return Ok((None, trajectory, 0)) };
    let found = (!pairs.is_empty()).then(|| Found { places: spsa.optimum().iter().map(known).collect(), fit: None });
    Ok((found, trajectory, 0))
}

/// An interval of coordinates as values.
fn values(row: &TunedSetting, place: Interval) -> Span {
    span(place.map(|x| Some(row.value(x, 0.5))), 9)
}

fn parts(axis: usize, row: &TunedSetting, trials: &[Trial]) -> Vec<[f64; 3]> {
    let mut sums = [[0.0; 3]; PARTS];
    for trial in trials {
        let part = ((trial.x[axis] + 1.0) / 2.0 * PARTS as f64).clamp(0.0, PARTS as f64 - 1.0) as usize;
        let [x, score, n] = &mut sums[part];
        *x += trial.x[axis];
        *score += trial.score;
        *n += 1.0;
    }
    let point = |[x, score, n]: [f64; 3]| [row.value(x / n, 0.5), digits(score / n), n];
    sums.into_iter().filter(|[.., n]| *n > 0.0).map(point).collect()
}

fn curve(axis: usize, row: &TunedSetting, at: &[f64], fit: &ClopFit) -> Vec<[f64; 2]> {
    let mut place = at.to_vec();
    let xs = (0..=CURVE_STEPS).map(|i| 2.0 * f64::from(i) / f64::from(CURVE_STEPS) - 1.0);
    let point = |x: f64| {
        place[axis] = x;
        let continuous = TunedSetting { whole: false, ..row.clone() };
        [continuous.value(x, 0.5), digits(fit.score(&place))]
    };
    xs.map(point).collect()
}

/// The middle of each cell; nothing unless there are two settings.
fn surface(tune: &TuneConfig, fit: &ClopFit) -> Vec<[f64; 3]> {
    let [one, other] = tune.vary.as_slice() else { return Vec::new() };
    let middle = |i: u32| (2.0 * f64::from(i) + 1.0) / f64::from(CELLS) - 1.0;
    let cells = (0..CELLS).flat_map(|i| (0..CELLS).map(move |j| [middle(i), middle(j)]));
    let continuous = |row: &TunedSetting, x: f64| TunedSetting { whole: false, ..row.clone() }.value(x, 0.5);
    cells.map(|[a, b]| [continuous(one, a), continuous(other, b), digits(fit.score(&[a, b]))]).collect()
}

/// Rounds to 1e-6, so that the last digit does not depend on the machine.
fn digits(x: f64) -> f64 {
    (x * 1e6).round() / 1e6 + 0.0
}
