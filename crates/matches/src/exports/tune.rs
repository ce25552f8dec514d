//! The report of a tuning: its settings, and on the page the landscape over each setting, the trajectory of the values, and the
//! confirming match.
use std::fmt::Display;

use banyan_texts::Language;

use super::chart::{Chart, Form, ON_PAGE, Scale};
use super::match_report::elo;
use super::report::{Figure, Part, Report, Section, Sheet};
use crate::config::MatchConfig;
use crate::tune::{TuneResult, TunedValue};
use crate::tune_config::TuneMethod;
use crate::warnings::Warning;

/// The report.
pub(super) fn tune_report(
    config: &MatchConfig,
    result: &TuneResult,
    warnings: &[Warning],
    language: Language,
) -> Report {
    let names: Vec<&str> = result.settings.iter().map(|setting| setting.name.as_str()).collect();
    let landscapes =
        result.settings.iter().filter_map(|setting| landscape(result, setting, language)).chain(heat(result, language));
    let landscapes: Vec<Figure> = landscapes.collect();
    let trajectories: Vec<Figure> = (0..names.len()).filter_map(|axis| trajectory(result, axis, language)).collect();
    let section = |title: &str, figures: &[Figure]| {
        let none = || vec![Part::Small(language.say("tune.no-pairs", &[]))];
        let parts: Vec<Part> = figures.iter().cloned().map(Part::Figure).collect();
        Section { title: language.say(title, &[]), parts: if parts.is_empty() { none() } else { parts } }
    };
    let at_an_end = result
        .settings
        .iter()
        .filter(|setting| setting.is_at_an_end())
        .map(|TunedValue { name, .. }| language.say("tune.at-an-end", &[("name", name)]));
    let conclusion = result.in_words(config.tune.as_ref().is_some_and(|tune| tune.confirm > 0), language);
    let heading = language.say("tune.heading", &[("game", &result.game), ("player", &result.player)]);
    Report {
        title: language
            .say("tune.title", &[("game", &result.game), ("names", &names.join(", ")), ("player", &result.player)]),
        facts: vec![played(result, language)],
        notes: std::iter::once(conclusion).chain(at_an_end).collect(),
        warnings: warnings.to_vec(),
        sheets: vec![settings(result, language)],
        answer: confirmation(result, language).into_iter().chain(fitted(result, language).map(Part::Small)).collect(),
        sections: vec![section("tune.landscape", &landscapes), section("tune.trajectory", &trajectories)],
        picture: [landscapes, trajectories].concat(),
        ..Report::new(heading, config, language)
    }
}

fn played(result: &TuneResult, language: Language) -> String {
    let method = match result.method {
        TuneMethod::Clop => "CLOP",
        TuneMethod::Spsa => "SPSA",
    };
    let opponents = result.opponents.join(", ");
    let key = if result.skipped > 0 { "tune.played-skipped" } else { "tune.played" };
    let params: [(&str, &dyn Display); 5] = [
        ("pairs", &result.pairs),
        ("of", &result.of),
        ("method", &method),
        ("opponents", &opponents),
        ("n", &result.skipped),
    ];
    language.say(key, &params)
}

fn confirmation(result: &TuneResult, language: Language) -> Vec<Part> {
    let Some(found) = &result.confirmation else { return Vec::new() };
    let test = match found.decision.as_str() {
        "H1" => "tune.h1",
        "H0" => "tune.h0",
        _ => "tune.open",
    };
    let test = language.say(test, &[]);
    let pairs = language.say("tune.confirming", &[("n", &found.pairs), ("test", &test)]);
    vec![elo(found.elo, &language.say("tune.over-default", &[])), Part::Small(pairs)]
}

/// The scores by the fit, if there is one.
fn fitted(result: &TuneResult, language: Language) -> Option<String> {
    let share = |score: f64| format!("{:.1} %", 100.0 * score);
    let default = result.score_of_default.map_or_else(|| "-".to_owned(), share);
    let (found, effective) = (share(result.score?), format!("{:.0}", result.effective.unwrap_or(0.0)));
    let params: [(&str, &dyn Display); 4] =
        [("found", &found), ("default", &default), ("effective", &effective), ("pairs", &result.pairs)];
    Some(language.say("tune.fitted", &params))
}

fn settings(result: &TuneResult, language: Language) -> Sheet {
    let number = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| x.to_string());
    let row = |setting: &TunedValue| {
        let ([low, value, high], [from, to]) = (setting.found, setting.range);
        let interval = low.zip(high).map_or_else(|| "-".to_owned(), |(low, high)| format!("{low} .. {high}"));
        let range = format!("{from} .. {to}");
        let range = if setting.log { language.say("tune.log", &[("range", &range)]) } else { range };
        vec![setting.name.clone(), number(value), interval, number(setting.default), range]
    };
    let text = |key: &str| language.say(key, &[]);
    let headings = [
        text("tune.setting"),
        format!(">{}", text("tune.value")),
        text("sweep.interval"),
        format!(">{}", text("tune.default")),
        text("tune.range"),
    ];
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
fn landscape(result: &TuneResult, setting: &TunedValue, language: Language) -> Option<Figure> {
    let scores = setting.parts.iter().map(|part| part[1]).chain(setting.curve.iter().map(|point| point[1]));
    let (least, most) = scores.fold((1.0f64, 0.0f64), |(least, most), y| (least.min(y), most.max(y)));
    if least > most {
        return None;
    }
    let y = Scale { low: (least - 0.02).max(0.0), high: (most + 0.02).min(1.0), form: Form::Percent };
    let mut chart = Chart::new(ON_PAGE, setting.scale(), y);
    chart.interval(setting.found);
    if let Some(default) = setting.default_in_range() {
        chart.mark("zero", default, &language.say("sweep.default", &[]));
    }
    chart.curve("line", setting.curve.iter().copied());
    let largest = setting.parts.iter().map(|part| part[2]).fold(1.0, f64::max);
    for [value, score, n] in setting.parts.iter().copied() {
        let percent = format!("{:.1}", 100.0 * score);
        let hint = language.say("tune.point", &[("n", &n), ("percent", &percent)]);
        chart.point([value, score], 2.0 + 5.0 * (n / largest).sqrt(), &hint);
    }
    let key = if result.settings.len() > 1 { "tune.parts-others" } else { "tune.parts" };
    Some(chart.figure(language.say(key, &[("name", &setting.name)])))
}

/// The fitted score of two settings.
fn heat(result: &TuneResult, language: Language) -> Option<Figure> {
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
    Some(chart.figure(language.say("tune.surface", &[("across", &one.name), ("up", &other.name), ("range", &range)])))
}

/// The value found over the number of pairs, with its interval.
fn trajectory(result: &TuneResult, axis: usize, language: Language) -> Option<Figure> {
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
    Some(chart.figure(language.say("tune.over-pairs", &[("name", &setting.name)])))
}
