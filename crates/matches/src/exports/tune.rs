//! The report of a tuning: its settings, and on the page the landscape over each setting, the trajectory of the values, and the
//! confirming match.
use banyan_texts::Language;

use super::chart::{Chart, Form, ON_PAGE, Scale};
use super::match_report::elo;
use super::report::{Figure, Part, Report, Section, Sheet};
use crate::config::MatchConfig;
use crate::tune::{TuneResult, TunedValue};
use crate::tune_config::TuneMethod;
use crate::warnings::Warning;

/// The report.
pub(super) fn tune_report(config: &MatchConfig, result: &TuneResult, warnings: &[Warning]) -> Report {
    let names: Vec<&str> = result.settings.iter().map(|setting| setting.name.as_str()).collect();
    let landscapes = result.settings.iter().filter_map(|setting| landscape(result, setting)).chain(heat(result));
    let landscapes: Vec<Figure> = landscapes.collect();
    let trajectories: Vec<Figure> = (0..names.len()).filter_map(|axis| trajectory(result, axis)).collect();
    let section = |title: &str, figures: &[Figure]| {
        let none = || vec![Part::Small("no pairs yet".to_owned())];
        let parts: Vec<Part> = figures.iter().cloned().map(Part::Figure).collect();
        Section { title: title.to_owned(), parts: if parts.is_empty() { none() } else { parts } }
    };
    let at_an_end =
        result.settings.iter().filter(|setting| setting.is_at_an_end()).map(|TunedValue { name, .. }| {
            format!("the value of {name} is close to an end of its range; a wider one may hold a better value")
        });
    Report {
        title: format!("{}: {} of {}", result.game, names.join(", "), result.player),
        facts: vec![played(result)],
        notes: std::iter::once(result.conclusion.clone()).chain(at_an_end).collect(),
        warnings: warnings.to_vec(),
        sheets: vec![settings(result)],
        answer: confirmation(result).into_iter().chain(fitted(result).map(Part::Small)).collect(),
        sections: vec![section("Landscape", &landscapes), section("Trajectory and convergence", &trajectories)],
        picture: [landscapes, trajectories].concat(),
        ..Report::new(format!("{}: {}", result.game, result.player), config, Language::En)
    }
}

fn played(result: &TuneResult) -> String {
    let method = match result.method {
        TuneMethod::Clop => "CLOP",
        TuneMethod::Spsa => "SPSA",
    };
    let skipped = match result.skipped {
        0 => String::new(),
        n => format!(", {n} more with its own values not played"),
    };
    let opponents = result.opponents.join(", ");
    format!("{} of {} pairs by {method} against {opponents}{skipped}", result.pairs, result.of)
}

fn confirmation(result: &TuneResult) -> Vec<Part> {
    let Some(found) = &result.confirmation else { return Vec::new() };
    let test = match found.decision.as_str() {
        "H1" => "the sequential test accepts that the tuned values are stronger",
        "H0" => "the sequential test rejects a gain of 10 normalised Elo",
        _ => "the sequential test is undecided",
    };
    let pairs = format!("{} pairs on other openings; {test}", found.pairs);
    vec![elo(found.elo, "Elo over the default, 95 % interval"), Part::Small(pairs)]
}

/// The scores by the fit, if there is one.
fn fitted(result: &TuneResult) -> Option<String> {
    let share = |score: f64| format!("{:.1} %", 100.0 * score);
    let default = result.score_of_default.map_or_else(|| "-".to_owned(), share);
    Some(format!(
        "Fitted score: {} with the values found, {default} with the default. The fit rests on {:.0} of {} pairs by weight.",
        share(result.score?),
        result.effective.unwrap_or(0.0),
        result.pairs
    ))
}

fn settings(result: &TuneResult) -> Sheet {
    let number = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| x.to_string());
    let row = |setting: &TunedValue| {
        let ([low, value, high], [from, to]) = (setting.found, setting.range);
        let interval = low.zip(high).map_or_else(|| "-".to_owned(), |(low, high)| format!("{low} .. {high}"));
        let scale = if setting.log { ", logarithmic" } else { "" };
        let range = format!("{from} .. {to}{scale}");
        vec![setting.name.clone(), number(value), interval, number(setting.default), range]
    };
    let headings = ["setting", ">value", "95 % interval", ">default", "range"];
    Sheet::new("", &headings, result.settings.iter().map(row))
}

impl TunedValue {
    /// Its range as an axis.
    fn scale(&self) -> Scale {
        Scale { low: self.range[0], high: self.range[1], form: Form::of_setting(self.log) }
    }

    /// Whether its value is in the outer twentieth of the range.
    fn is_at_an_end(&self) -> bool {
        self.found[1].is_some_and(|value| !(0.05..=0.95).contains(&self.scale().part(value)))
    }

    /// Its default, if it is in the range.
    fn default_in_range(&self) -> Option<f64> {
        let [low, high] = self.range;
        self.default.filter(|default| (low..=high).contains(default))
    }
}

/// The results in parts of the range, with the fitted curve and the interval of the value found.
fn landscape(result: &TuneResult, setting: &TunedValue) -> Option<Figure> {
    let scores = setting.parts.iter().map(|part| part[1]).chain(setting.curve.iter().map(|point| point[1]));
    let (least, most) = scores.fold((1.0f64, 0.0f64), |(least, most), y| (least.min(y), most.max(y)));
    if least > most {
        return None;
    }
    let y = Scale { low: (least - 0.02).max(0.0), high: (most + 0.02).min(1.0), form: Form::Percent };
    let mut chart = Chart::new(ON_PAGE, setting.scale(), y);
    chart.interval(setting.found);
    if let Some(default) = setting.default_in_range() {
        chart.mark("zero", default, "default");
    }
    chart.curve("line", setting.curve.iter().copied());
    let largest = setting.parts.iter().map(|part| part[2]).fold(1.0, f64::max);
    for [value, score, n] in setting.parts.iter().copied() {
        chart.point([value, score], 2.0 + 5.0 * (n / largest).sqrt(), &format!("{n} pairs: {:.1} %", 100.0 * score));
    }
    let others = if result.settings.len() > 1 { ", the curve with the other settings at the values found" } else { "" };
    Some(chart.figure(format!("{}: score of the pairs in parts of the range{others}", setting.name)))
}

/// The fitted score of two settings.
fn heat(result: &TuneResult) -> Option<Figure> {
    let ([one, other], false) = (result.settings.as_slice(), result.surface.is_empty()) else { return None };
    let mut chart = Chart::new(ON_PAGE, one.scale(), other.scale());
    let scores = || result.surface.iter().map(|cell| cell[2]);
    let (least, most) = (scores().fold(f64::MAX, f64::min), scores().fold(f64::MIN, f64::max));
    let side = (result.surface.len() as f64).sqrt();
    let (width, height) = ((ON_PAGE.right - ON_PAGE.left) / side, (ON_PAGE.bottom - ON_PAGE.top) / side);
    for [a, b, score] in result.surface.iter().copied() {
        let (x, y) = (chart.across(a) - width / 2.0, chart.up(b) - height / 2.0);
        let strength = if most > least { 0.05 + 0.75 * (score - least) / (most - least) } else { 0.1 };
        chart.push(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" class=\"cell\" fill-opacity=\"{strength:.2}\">\
             <title>{:.1} %</title></rect>",
            width + 0.2,
            height + 0.2,
            100.0 * score
        ));
    }
    if let (Some(a), Some(b)) = (one.found[1], other.found[1]) {
        let (x, y) = (chart.across(a), chart.up(b));
        chart.push(format_args!(r#"<circle class="found" cx="{x:.1}" cy="{y:.1}" r="6"/>"#));
    }
    let range = format!("{:.1} .. {:.1} %", 100.0 * least, 100.0 * most);
    Some(chart.figure(format!("fitted score over {} (across) and {} (up), {range}", one.name, other.name)))
}

/// The value found over the number of pairs, with its interval.
fn trajectory(result: &TuneResult, axis: usize) -> Option<Figure> {
    let setting = &result.settings[axis];
    let last = result.trajectory.last().filter(|_| result.trajectory.len() > 1)?;
    let pairs = Scale { low: 0.0, high: last.pairs as f64, form: Form::Whole };
    let mut chart = Chart::new(ON_PAGE, pairs, setting.scale());
    let end = |which: usize| {
        result.trajectory.iter().filter_map(move |point| Some([point.pairs as f64, point.values[axis][which]?]))
    };
    let lower: Vec<_> = end(0).collect();
    if !lower.is_empty() {
        chart.band(lower, end(2).collect());
    }
    if let Some(default) = setting.default_in_range() {
        chart.level("zero", default);
    }
    chart.curve("line", end(1));
    Some(chart.figure(format!("{} over the number of pairs, dashed the default", setting.name)))
}
