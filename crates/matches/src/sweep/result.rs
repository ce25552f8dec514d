//! The result of a sweep, computed from its games alone.

use std::fmt::Display;

use banyan_arena::stats::detectable;
use banyan_catalog::strength::Span;
use banyan_catalog::view::VERSION;
use banyan_core::TextError;
use banyan_texts::Language;
use serde::{Deserialize, Serialize};

use super::counted::{Counted, StageGames, interval, responses};
use super::fit::{Fit, Verdict};
use super::plan::places;
use super::rounding::{digits, short};
use crate::config::MatchConfig;
use crate::sweep_config::{Quantity, SweepConfig, Varied};

/// More pairs than this are not worth a number.
const MOST_PAIRS: f64 = 1e6;

/// The result of a sweep; the content of sweep.json.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepResult {
    /// [`VERSION`].
    pub v: u32,
    /// The game.
    pub game: String,
    /// The opponent of all values.
    pub opponent: String,
    /// `score` or `margin`.
    pub quantity: Quantity,
    /// Pairs that count.
    pub pairs: u64,
    /// Pairs planned, of this part.
    pub of: u64,
    /// Pairs that repeat earlier ones, and do not count.
    pub repeated: u64,
    /// Pairs without a margin, because a fault ended a game; they do not count if margins are measured.
    pub without_margin: u64,
    /// The settings with the optimum of the fit.
    pub settings: Vec<Coordinate>,
    /// The values with their results.
    pub points: Vec<SweepPoint>,
    /// The fitted curve of one setting: values and results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub curve: Vec<[f64; 2]>,
    /// The fitted result at the optimum.
    pub top: Option<f64>,
    /// The fitted result of the default.
    pub at_default: Option<f64>,
    /// The smallest difference between two values that the planned pairs detect with a power of 80 % at a level of 5 %.
    pub detectable: Option<f64>,
    /// Further pairs of each value that would show a difference of the size found, if it is not distinguishable: between the optimum of
    /// the fit and the default, or between the best and the worst value; `null` without a fit, and beyond a million.
    #[serde(default)]
    pub more_pairs: Option<u64>,
    /// The recommendation.
    pub verdict: Verdict,
    /// The recommendation in words.
    pub conclusion: String,
    /// The fits of equal parts of the rounds, if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repetitions: Vec<RepetitionResult>,
}

/// A setting and the coordinate of the optimum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Coordinate {
    /// Its name.
    pub name: String,
    /// Whether it is fitted over its logarithm.
    pub log: bool,
    /// Its value without the sweep.
    pub default: Option<f64>,
    /// The optimum with its 95 % interval within the range of the values; `null` without a fit.
    pub optimum: Option<Span>,
}

/// A value of each setting and its result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepPoint {
    /// One for each setting.
    pub values: Vec<f64>,
    /// The player.
    pub player: String,
    /// Pairs that count.
    pub pairs: u64,
    /// Mean over the games.
    pub mean: Span,
    /// The fitted result.
    pub fitted: Option<f64>,
    /// Results by colour, if requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<SidesResult>,
}

/// The results of a value by colour.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SidesResult {
    /// Mean over the games in which it moved first.
    pub first: Span,
    /// Mean over those in which it moved second.
    pub second: Span,
}

/// The result of a part of the rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RepetitionResult {
    /// Pairs that count.
    pub pairs: u64,
    /// The mean of each point, in their order.
    pub means: Vec<Span>,
    /// The optimum of each setting; unknown without a fit.
    pub optimum: Vec<Span>,
}

impl SweepResult {
    /// The result of all stages of a sweep: the first stage, and a second one that plays further values in the same rounds.
    /// `repetitions` is the number of parts of the rounds that are fitted separately, 0 for none.
    ///
    /// # Errors
    /// A match that is not a sweep, or no match at all.
    pub fn of(stages: &[StageGames<'_>], by_colour: bool, repetitions: usize) -> Result<SweepResult, TextError> {
        let no_stage = || TextError::new("a sweep of no stage", "expected at least one", "use a folder of a sweep");
        let first = stages.first().ok_or_else(no_stage)?.config;
        let plan = plan_of(first)?;
        let places: Vec<Vec<f64>> = stages
            .iter()
            .map(|stage| Ok(places(&plan_of(stage.config)?.vary)))
            .collect::<Result<Vec<_>, TextError>>()?
            .concat();
        let players: Vec<&str> =
            stages.iter().flat_map(|stage| &stage.config.players[1..]).map(|player| player.name.as_str()).collect();
        let counted = Counted::of_stages(stages, plan.quantity, places.len());
        let fit = Fit::of(&places, &plan.vary, &counted.rounds);
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by(|&a, &b| places[a].partial_cmp(&places[b]).expect("values are numbers"));
        let points = order.iter().map(|&value| SweepPoint {
            values: places[value].clone(),
            player: players[value].to_owned(),
            pairs: counted.of(value).count() as u64,
            mean: interval(&counted.of(value).map(|pair| pair.mean()).collect::<Vec<_>>(), plan.quantity),
            fitted: fit.as_ref().and_then(|fit| fit.y(&places[value])).map(digits),
            sides: by_colour.then(|| {
                let side = |side: usize| counted.of(value).map(|pair| pair.sides[side]).collect::<Vec<_>>();
                let [first, second] = [0, 1].map(|idx| interval(&side(idx), plan.quantity));
                SidesResult { first, second }
            }),
        });
        let points: Vec<SweepPoint> = points.collect();
        let n_planned = first.pairs.max(1);
        let points_means = responses(&counted.rounds).point_means();
        let shown = |fit: &Option<Fit>| -> Vec<Option<Span>> {
            (0..plan.vary.len()).map(|axis| fit.as_ref().and_then(|fit| fit.span(axis))).collect()
        };
        let optima = shown(&fit);
        let settings = plan.vary.iter().zip(optima).map(|(row, optimum)| Coordinate {
            name: row.name.clone(),
            log: row.log,
            default: row.default,
            optimum,
        });
        let part = counted.rounds.len().div_ceil(repetitions.max(1)).max(1);
        let parts = counted.rounds.chunks(part).filter(|_| repetitions > 0).map(|rounds| {
            let responses = responses(rounds);
            let fit = Fit::of(&places, &plan.vary, rounds);
            RepetitionResult {
                pairs: rounds.iter().map(|round| round.iter().flatten().count() as u64).sum(),
                means: order.iter().map(|&value| interval(&responses.of(value), plan.quantity)).collect(),
                optimum: shown(&fit).into_iter().map(Option::unwrap_or_default).collect(),
            }
        });
        let range = match points.as_slice() {
            [first, .., last] => Some([first, last].map(|point| point.values[0])),
            _ => None,
        };
        let default = plan.default_in_range();
        let mut result = SweepResult {
            v: VERSION,
            game: first.game.clone(),
            opponent: first.players[0].name.clone(),
            quantity: plan.quantity,
            pairs: points.iter().map(|point| point.pairs).sum(),
            of: stages.iter().filter_map(|stage| stage.config.schedule().ok()?.n_pairs_of_shard()).sum(),
            repeated: counted.repeated,
            without_margin: counted.without_margin,
            settings: settings.collect(),
            curve: fit.as_ref().zip(range).map_or(Vec::new(), |(fit, range)| fit.samples(range)),
            top: fit.as_ref().filter(|fit| !fit.is_misfit()).map(|fit| digits(fit.top())),
            at_default: fit.as_ref().zip(default.as_ref()).and_then(|(fit, default)| fit.y(default)).map(digits),
            detectable: points_means.as_ref().map(|points| digits(detectable(points.pair_variance, n_planned))),
            more_pairs: None,
            verdict: Fit::verdict(fit.as_ref(), default.as_deref()),
            conclusion: String::new(),
            repetitions: parts.collect(),
            points,
        };
        result.more_pairs = points_means.and_then(|points| result.still_needed(points.pair_variance, n_planned));
        result.conclusion = result.in_words(&plan.vary, Language::En);
        Ok(result)
    }

    /// The coordinates of the optimum; `None` without a fit.
    pub fn optimum(&self) -> Option<Vec<f64>> {
        self.settings.iter().map(|row| row.optimum.and_then(|span| span[1])).collect()
    }

    /// A result with its unit: `52.1 %`, `+3.20`.
    pub fn text(&self, x: f64) -> String {
        match self.quantity {
            Quantity::Score => format!("{:.1} %", 100.0 * x),
            Quantity::Margin => format!("{x:+.2}"),
        }
    }

    /// See [`more_pairs`](SweepResult::more_pairs): for a variance of single pairs, after `n` pairs of each value.
    fn still_needed(&self, variance: f64, n: u64) -> Option<u64> {
        if !matches!(self.verdict, Verdict::Undetermined | Verdict::NotDistinguishable) {
            return None;
        }
        let fitted = || self.points.iter().filter_map(|point| point.fitted);
        let spread = || fitted().fold(f64::MIN, f64::max) - fitted().fold(f64::MAX, f64::min);
        let difference = self.top.zip(self.at_default).map_or_else(spread, |(top, default)| (top - default).abs());
        let needed = (detectable(variance, 1) / difference).powi(2).ceil();
        (needed - n as f64 > 0.0 && needed < MOST_PAIRS).then(|| needed as u64 - n)
    }

    /// The conclusion in a language; `vary` are the settings of its configuration.
    pub(crate) fn in_words(&self, vary: &[Varied], language: Language) -> String {
        let recommended = || {
            let rows = self.settings.iter().zip(vary);
            let rounded: Vec<String> = rows.filter_map(|(row, varied)| row.recommended(varied.whole)).collect();
            rounded.join(",")
        };
        let defaults: Vec<String> =
            self.settings.iter().filter_map(|row| Some(format!("{}={}", row.name, row.default?))).collect();
        let default = match defaults.len() == self.settings.len() {
            true => language.say("sweep.the-default-is", &[("values", &defaults.join(","))]),
            false => language.say("sweep.the-default", &[]),
        };
        let optimum: Vec<String> = self.settings.iter().filter_map(Coordinate::in_words).collect();
        let optimum = optimum.join(", ");
        let found = || language.say("sweep.found", &[("optimum", &optimum)]);
        let top = self.top.map_or_else(String::new, |x| self.text(x));
        let against = || match self.at_default {
            Some(before) => {
                let before = self.text(before);
                language.say("sweep.against", &[("top", &top), ("before", &before), ("default", &default)])
            }
            None => top.clone(),
        };
        match self.verdict {
            Verdict::TooFewGames => language.say("sweep.too-few", &[]),
            Verdict::Undetermined => match self.at_default {
                Some(_) => language.say("sweep.undetermined-default", &[("default", &default)]),
                None => language.say("sweep.undetermined", &[]),
            },
            Verdict::NotDistinguishable => language.say("sweep.equal", &[("found", &found()), ("default", &default)]),
            Verdict::Better if self.at_default.is_none() => {
                let params: [(&str, &dyn Display); 4] =
                    [("found", &found()), ("top", &top), ("default", &default), ("settings", &recommended())];
                language.say("sweep.better-outside", &params)
            }
            Verdict::Better => {
                let params: [(&str, &dyn Display); 3] =
                    [("found", &found()), ("against", &against()), ("settings", &recommended())];
                language.say("sweep.better", &params)
            }
            Verdict::Optimum => language.say("sweep.is-optimum", &[("found", &found()), ("settings", &recommended())]),
            Verdict::Edge => language.say("sweep.edge", &[("optimum", &optimum), ("against", &against())]),
            Verdict::NoMaximum => language.say("sweep.no-maximum", &[("optimum", &optimum), ("against", &against())]),
            Verdict::Misfit => language.say("sweep.misfit", &[]),
        }
    }
}

impl Coordinate {
    /// `c=0.52 (0.31 .. 0.77)`.
    fn in_words(&self) -> Option<String> {
        let [low, mid, high] = self.optimum?;
        Some(format!("{}={} ({} .. {})", self.name, short(mid?), short(low?), short(high?)))
    }

    fn recommended(&self, whole: bool) -> Option<String> {
        let optimum = self.optimum?[1]?;
        Some(format!("{}={}", self.name, if whole { optimum.round().to_string() } else { short(optimum) }))
    }
}

fn plan_of(config: &MatchConfig) -> Result<&SweepConfig, TextError> {
    let remedy = "use a folder written by `banyan sweep`, or `banyan match --resume`";
    let plan = config.sweep.as_ref().ok_or_else(|| TextError::new("a match", "expected a sweep", remedy))?;
    plan.check(config.players.len())?;
    Ok(plan)
}

impl SweepConfig {
    /// The place of the default, if it is within the range of all settings.
    fn default_in_range(&self) -> Option<Vec<f64>> {
        let place = |row: &Varied| {
            let ends = *row.values.first()?..=*row.values.last()?;
            row.default.filter(|default| ends.contains(default))
        };
        self.vary.iter().map(place).collect()
    }
}
