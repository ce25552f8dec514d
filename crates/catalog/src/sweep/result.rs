//! The result of a sweep, computed from its games alone.

use std::collections::{BTreeMap, HashSet};

use banyan_arena::stats::{Curve, Interval, Outcome, Responses, Shape, Surface, detectable, mean, wilson};
use banyan_core::{Side, TextError};
use serde::{Deserialize, Serialize};

use super::plan::places;
use crate::matches::{GameLine, MatchConfig, Quantity, SweepConfig, Varied, fingerprint};
use crate::strength::Span;
use crate::view::VERSION;

/// Steps of the fitted curve in the result.
const CURVE_STEPS: u32 = 60;

/// The games of one stage.
#[derive(Clone, Copy, Debug)]
pub struct StageGames<'a> {
    /// Its match.
    pub config: &'a MatchConfig,
    /// The games, in any order.
    pub lines: &'a [GameLine],
}

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
    /// Pairs without a margin, as a fault ended a game; they do not count where margins are measured.
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
    /// What follows.
    pub verdict: Verdict,
    /// The same in words.
    pub conclusion: String,
    /// The fits of equal parts of the rounds, if asked for.
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
    /// The same for each colour, if asked for.
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

/// What follows from a sweep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// There are too few pairs for a fit.
    TooFewGames,
    /// The interval of the optimum covers the whole range.
    Undetermined,
    /// The default may be the optimum.
    NotDistinguishable,
    /// The default is not the optimum.
    Better,
    /// There is an optimum, and no default in the range to compare it with.
    Optimum,
    /// The surface of two settings is highest at an edge of the range, where the default is not.
    Edge,
    /// The surface of two settings has no maximum.
    NoMaximum,
    /// No quadratic surface follows the results of two settings.
    Misfit,
}

/// A pair of games of a value.
#[derive(Clone, Copy)]
struct PairResult {
    /// Seen by the value: as first, as second side.
    sides: [f64; 2],
}

impl PairResult {
    fn mean(&self) -> f64 {
        f64::midpoint(self.sides[0], self.sides[1])
    }
}

/// The pairs that count: `[round][value]`.
#[derive(Default)]
struct Counted {
    rounds: Vec<Vec<Option<PairResult>>>,
    repeated: u64,
    without_margin: u64,
}

impl SweepResult {
    /// The result of all stages of a sweep; of the first stage, the second plays further values in the same rounds. `repetitions` is the
    /// number of parts of the rounds that are fitted alone, 0 for none.
    ///
    /// # Errors
    /// A match that is no sweep.
    pub fn of(stages: &[StageGames<'_>], by_colour: bool, repetitions: usize) -> Result<SweepResult, TextError> {
        let first = stages.first().expect("a sweep has a stage").config;
        let plan = plan_of(first)?;
        let places: Vec<Vec<f64>> = stages
            .iter()
            .map(|stage| Ok(places(&plan_of(stage.config)?.vary)))
            .collect::<Result<Vec<_>, TextError>>()?
            .concat();
        let players: Vec<&str> =
            stages.iter().flat_map(|stage| &stage.config.players[1..]).map(|player| player.name.as_str()).collect();
        let mut counted = Counted::default();
        for stage in stages {
            counted.add(stage, plan.quantity, places.len());
        }
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
            curve: fit.as_ref().map_or(Vec::new(), |fit| fit.samples(&points)),
            top: fit.as_ref().filter(|fit| !fit.is_misfit()).map(|fit| digits(fit.top())),
            at_default: fit.as_ref().zip(default.as_ref()).and_then(|(fit, default)| fit.y(default)).map(digits),
            detectable: points_means.map(|points| digits(detectable(points.pair_variance, n_planned))),
            verdict: Fit::verdict(fit.as_ref(), default.as_deref()),
            conclusion: String::new(),
            repetitions: parts.collect(),
            points,
        };
        result.conclusion = result.in_words(&plan.vary);
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

    fn in_words(&self, vary: &[Varied]) -> String {
        let recommended = || {
            let rows = self.settings.iter().zip(vary);
            let rounded: Vec<String> = rows.filter_map(|(row, varied)| row.recommended(varied.whole)).collect();
            rounded.join(",")
        };
        let defaults: Vec<String> =
            self.settings.iter().filter_map(|row| Some(format!("{}={}", row.name, row.default?))).collect();
        let default = match defaults.len() == self.settings.len() {
            true => format!("the default {}", defaults.join(",")),
            false => "the default".to_owned(),
        };
        let optimum: Vec<String> = self.settings.iter().filter_map(Coordinate::in_words).collect();
        let optimum = optimum.join(", ");
        let found = || format!("optimum of the fit {optimum}");
        let fitted = |x: Option<f64>| x.map_or_else(String::new, |x| self.text(x));
        let against = || {
            let before = self.at_default.map(|before| format!(" against {} of {default}", self.text(before)));
            fitted(self.top) + &before.unwrap_or_default()
        };
        match self.verdict {
            Verdict::TooFewGames => "too few games for a fit: play more pairs".to_owned(),
            Verdict::Undetermined => {
                let compared = match self.at_default {
                    Some(_) => format!("; not distinguishable from {default}"),
                    None => String::new(),
                };
                format!("no optimum: its 95 % interval covers the whole range{compared}")
            }
            Verdict::NotDistinguishable => format!("{}; not distinguishable from {default}, so keep it", found()),
            Verdict::Better if self.at_default.is_none() => {
                format!("{}: {} against {default}; recommended: {}", found(), fitted(self.top), recommended())
            }
            Verdict::Better => format!("{}: {}; recommended: {}", found(), against(), recommended()),
            Verdict::Optimum => {
                format!("{}; the default is not in the range of the values; recommended: {}", found(), recommended())
            }
            Verdict::Edge => {
                format!(
                    "the fit is highest at an edge of the range, at {optimum}: {}; nothing is recommended",
                    against()
                )
            }
            Verdict::NoMaximum => format!(
                "the fit has no maximum: it rises towards several edges of the range, most at {optimum}: {}; nothing is recommended",
                against()
            ),
            Verdict::Misfit => {
                "no optimum: the results are further from a quadratic surface than their errors allow; narrow the \
                                ranges to the best values of the table"
                    .to_owned()
            }
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

/// To three digits.
pub(super) fn short(x: f64) -> String {
    format!("{x:.2e}").parse::<f64>().map_or_else(|_| x.to_string(), |x| x.to_string())
}

/// To 1e-6, far below the resolution of any sweep, so that the last digit does not depend on the machine.
fn digits(x: f64) -> f64 {
    (x * 1e6).round() / 1e6 + 0.0
}

fn plan_of(config: &MatchConfig) -> Result<&SweepConfig, TextError> {
    config.sweep.as_ref().ok_or_else(|| {
        TextError::new(
            "a match",
            "expected a sweep",
            "use a folder written by `banyan sweep`, or `banyan match --resume`",
        )
    })
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

impl Counted {
    fn add(&mut self, stage: &StageGames<'_>, quantity: Quantity, n_values: usize) {
        let n_pairings = stage.config.players.len() as u64 - 1;
        // The values of an earlier stage come first; those of this one are the last.
        let offset = match self.rounds.first() {
            None => 0,
            Some(_) => n_values - n_pairings as usize,
        };
        let mut pairs: BTreeMap<u64, [Option<&GameLine>; 2]> = BTreeMap::new();
        for line in stage.lines {
            pairs.entry(line.pair).or_default()[usize::from(line.game & 1)].get_or_insert(line);
        }
        let mut seen: HashSet<(usize, [u64; 2])> = HashSet::new();
        for (pair, games) in pairs {
            let [Some(one), Some(other)] = games else { continue };
            let (round, value) = ((pair / n_pairings) as usize, (pair % n_pairings) as usize + offset);
            if !seen.insert((value, [one, other].map(fingerprint))) {
                self.repeated += 1;
                continue;
            }
            let Some(result) = pair_result([one, other], quantity) else {
                self.without_margin += 1;
                continue;
            };
            if self.rounds.len() <= round {
                self.rounds.resize_with(round + 1, || vec![None; n_values]);
            }
            self.rounds[round][value] = Some(result);
        }
    }

    fn of(&self, value: usize) -> impl Iterator<Item = &PairResult> {
        self.rounds.iter().filter_map(move |round| round[value].as_ref())
    }
}

/// The results of the player that is not the opponent, player 0; `None` if a margin is wanted and missing.
fn pair_result(games: [&GameLine; 2], quantity: Quantity) -> Option<PairResult> {
    let mut sides = [0.0; 2];
    for game in games {
        let side = if game.seats[0] == 0 { Side::Second } else { Side::First };
        sides[usize::from(side == Side::Second)] = match quantity {
            Quantity::Score => match game.outcome(side) {
                Outcome::Win => 1.0,
                Outcome::Draw => 0.5,
                Outcome::Loss => 0.0,
            },
            Quantity::Margin => {
                let margin = f64::from(game.margin?);
                if side == Side::First { margin } else { -margin }
            }
        };
    }
    Some(PairResult { sides })
}

fn responses(rounds: &[Vec<Option<PairResult>>]) -> Responses {
    let mean = |pair: &Option<PairResult>| pair.as_ref().map(PairResult::mean);
    Responses { rounds: rounds.iter().map(|round| round.iter().map(mean).collect()).collect() }
}

/// Student's interval of the mean; Wilson's where all scores are equal, which have no spread.
fn interval(sample: &[f64], quantity: Quantity) -> Span {
    let is_constant = sample.windows(2).all(|pair| pair[0] == pair[1]);
    let found = match quantity {
        Quantity::Score if is_constant && !sample.is_empty() => {
            wilson((sample[0] * sample.len() as f64).round() as u64, sample.len() as u64)
        }
        _ => mean(sample),
    };
    let Interval { low, mid, high } = found;
    let clamped = |x: f64| if quantity == Quantity::Score { x.clamp(0.0, 1.0) } else { x };
    [low, mid, high].map(|x| x.map(clamped).map(digits))
}

/// The fit over one setting or two.
enum Fit {
    Curve(Curve, bool),
    Surface(Box<Surface>, [bool; 2]),
}

impl Fit {
    fn of(places: &[Vec<f64>], vary: &[Varied], rounds: &[Vec<Option<PairResult>>]) -> Option<Fit> {
        let points = responses(rounds).point_means()?;
        match vary {
            [row] => {
                let x: Vec<f64> = places.iter().map(|place| position(place[0], row.log)).collect();
                Some(Fit::Curve(Curve::fit(&x, &points)?, row.log))
            }
            [one, other] => {
                let logs = [one.log, other.log];
                let at: Vec<[f64; 2]> =
                    places.iter().map(|place| [0, 1].map(|axis| position(place[axis], logs[axis]))).collect();
                Some(Fit::Surface(Box::new(Surface::fit(&at, &points)?), logs))
            }
            _ => None,
        }
    }

    /// The fitted result; `None` beyond the values that a curve is fitted to.
    fn y(&self, place: &[f64]) -> Option<f64> {
        match self {
            Fit::Curve(curve, log) => curve.y(position(place[0], *log)),
            Fit::Surface(surface, logs) => Some(surface.y([0, 1].map(|axis| position(place[axis], logs[axis])))),
        }
    }

    /// The curve from the first to the last point; none of a surface.
    fn samples(&self, points: &[SweepPoint]) -> Vec<[f64; 2]> {
        let (Fit::Curve(_, log), [first, .., last]) = (self, points) else { return Vec::new() };
        let [low, high] = [first, last].map(|point| point.values[0]);
        let value = |step: u32| {
            let part = f64::from(step) / f64::from(CURVE_STEPS);
            if *log { low * (high / low).powf(part) } else { low + (high - low) * part }
        };
        (0..=CURVE_STEPS).map(value).filter_map(|value| Some([digits(value), digits(self.y(&[value])?)])).collect()
    }

    fn top(&self) -> f64 {
        match self {
            Fit::Curve(curve, _) => curve.top,
            Fit::Surface(surface, _) => surface.top,
        }
    }

    fn is_misfit(&self) -> bool {
        matches!(self, Fit::Surface(surface, _) if surface.shape == Shape::Misfit)
    }

    /// A coordinate of the optimum, as a value of the setting; `None` if the fit is rejected.
    fn span(&self, axis: usize) -> Option<Span> {
        if self.is_misfit() {
            return None;
        }
        let (Interval { low, mid, high }, log) = match self {
            Fit::Curve(curve, log) => (curve.optimum, *log),
            Fit::Surface(surface, logs) => (surface.optimum[axis], logs[axis]),
        };
        Some([low, mid, high].map(|x| x.map(|x| digits(if log { x.exp() } else { x }))))
    }

    fn verdict(fit: Option<&Fit>, default: Option<&[f64]>) -> Verdict {
        let Some(fit) = fit else { return Verdict::TooFewGames };
        let (is_undetermined, may_be_default, shape) = match fit {
            Fit::Curve(curve, log) => {
                let is_inside = |at: &[f64]| curve.may_be_optimum(position(at[0], *log));
                (curve.is_undetermined, default.map(is_inside), Shape::Maximum)
            }
            Fit::Surface(surface, logs) => {
                let is_inside = |at: &[f64]| surface.may_be_optimum([0, 1].map(|axis| position(at[axis], logs[axis])));
                (surface.is_undetermined, default.map(is_inside), surface.shape)
            }
        };
        match (shape, may_be_default) {
            (Shape::Misfit, _) => Verdict::Misfit,
            _ if is_undetermined => Verdict::Undetermined,
            (_, Some(true)) => Verdict::NotDistinguishable,
            (Shape::Edge, _) => Verdict::Edge,
            (Shape::NoMaximum, _) => Verdict::NoMaximum,
            (Shape::Maximum, Some(false)) => Verdict::Better,
            (Shape::Maximum, None) => Verdict::Optimum,
        }
    }
}

fn position(value: f64, log: bool) -> f64 {
    if log { value.ln() } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VARY: [&str; 2] = ["c", "fpu"];

    fn vary() -> Vec<Varied> {
        let row = |name: &str| Varied {
            name: name.to_owned(),
            values: vec![0.0, 1.0, 2.0, 3.0],
            log: false,
            whole: false,
            default: Some(0.0),
        };
        VARY.map(row).to_vec()
    }

    /// The fit of results with a little noise that cancels out.
    fn fit(y: impl Fn(f64, f64) -> f64) -> Fit {
        let places: Vec<Vec<f64>> = places(&vary());
        let pair = |round: usize, value: usize| {
            let noise = if (round + value).is_multiple_of(2) { 0.01 } else { -0.01 };
            let mean = y(places[value][0], places[value][1]) + noise;
            Some(PairResult { sides: [mean, mean] })
        };
        let rounds: Vec<Vec<Option<PairResult>>> =
            (0..40).map(|round| (0..places.len()).map(|value| pair(round, value)).collect()).collect();
        Fit::of(&places, &vary(), &rounds).expect("a fit")
    }

    #[test]
    fn only_a_maximum_of_two_settings_is_recommended() {
        let hill = |x: f64, y: f64| move |c: f64, fpu: f64| 0.5 - 0.02 * ((c - x).powi(2) + (fpu - y).powi(2));
        let verdict = |fit: &Fit| Fit::verdict(Some(fit), Some(&[0.0, 0.0]));
        assert_eq!(verdict(&fit(hill(2.0, 2.0))), Verdict::Better);
        assert_eq!(verdict(&fit(hill(0.0, 0.0))), Verdict::NotDistinguishable);
        assert_eq!(verdict(&fit(hill(1.5, 6.0))), Verdict::Edge);
        assert_eq!(verdict(&fit(|c, fpu| 0.5 + 0.02 * ((c - 1.0).powi(2) - (fpu - 2.0).powi(2)))), Verdict::NoMaximum);
        let cliff = fit(|c, _| if c < 0.5 { 0.2 } else { 0.5 });
        assert_eq!((verdict(&cliff), cliff.span(0)), (Verdict::Misfit, None));
    }
}
