//! A tuning as one self-contained HTML page: the landscape over each setting, the trajectory of the values, and the confirming match.

use std::fmt::Write;

use banyan_catalog::strength::signed;

use super::html::{escape, page, settings, warning_list};
use super::plot::round_step;
use crate::config::MatchConfig;
use crate::tune::{TuneResult, TunedValue};
use crate::tune_config::TuneMethod;
use crate::warnings::Warning;

/// Narrow, so that the letters stay readable on a screen of 375 pixels.
const WIDTH: f64 = 440.0;
const HEIGHT: f64 = 230.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 30.0;

/// The page.
pub fn tune_page(config: &MatchConfig, result: &TuneResult, warnings: &[Warning]) -> String {
    let names: Vec<&str> = result.settings.iter().map(|setting| setting.name.as_str()).collect();
    let body = [
        headline(result),
        warning_list(warnings),
        section("Settings", &table(result)),
        section(
            "Landscape",
            &(result.settings.iter().map(|row| landscape(result, row)).collect::<String>() + &heat(result)),
        ),
        section("Trajectory and convergence", &(0..names.len()).map(|axis| way(result, axis)).collect::<String>()),
        settings(config),
    ];
    page(&format!("{}: {} of {}", result.game, names.join(", "), result.player), &body.concat())
}

fn section(title: &str, body: &str) -> String {
    format!("<section>\n<h2>{title}</h2>\n{body}</section>\n")
}

fn headline(result: &TuneResult) -> String {
    let method = match result.method {
        TuneMethod::Clop => "CLOP",
        TuneMethod::Spsa => "SPSA",
    };
    let opponents = result.opponents.iter().map(|name| escape(name)).collect::<Vec<_>>().join(", ");
    let skipped = match result.skipped {
        0 => String::new(),
        n => format!(", {n} more with its own values not played"),
    };
    format!(
        "<header>\n<h1>{}: {}</h1>\n<p class=\"sub\">{} of {} pairs by {method} against {opponents}{skipped}</p>\n</header>\n\
         <section class=\"answer\">\n<p class=\"versus\">{}</p>\n{}</section>\n",
        escape(&result.game),
        escape(&result.player),
        result.pairs,
        result.of,
        escape(&result.conclusion),
        confirmation(result)
    )
}

fn confirmation(result: &TuneResult) -> String {
    let Some(found) = &result.confirmation else { return String::new() };
    let test = match found.decision.as_str() {
        "H1" => "the sequential test accepts that the tuned values are stronger",
        "H0" => "the sequential test rejects a gain of 10 normalised Elo",
        _ => "the sequential test is undecided",
    };
    format!(
        "<p class=\"elo\">{} <small>Elo over the default, 95 % interval</small></p>\n\
         <p class=\"sub\">{} pairs on other openings; {test}</p>\n",
        signed(found.elo),
        found.pairs
    )
}

fn table(result: &TuneResult) -> String {
    let number = |x: Option<f64>| x.map_or_else(|| "-".to_owned(), |x| x.to_string());
    let row = |row: &TunedValue| {
        let [low, value, high] = row.found;
        let interval = low.zip(high).map_or_else(|| "-".to_owned(), |(low, high)| format!("{low} .. {high}"));
        let [from, to] = row.range;
        format!(
            "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{interval}</td><td class=\"n\">{}</td>\
             <td class=\"n\">{from} .. {to}{}</td></tr>\n",
            escape(&row.name),
            number(value),
            number(row.default),
            if row.log { ", logarithmic" } else { "" }
        )
    };
    let share = |score: Option<f64>| score.map_or_else(|| "-".to_owned(), |score| format!("{:.1} %", 100.0 * score));
    let (tuned, default) = (result.score, result.score_of_default);
    let fitted = match tuned {
        None => String::new(),
        Some(_) => format!(
            "<p class=\"sub\">Fitted score: {} with the values found, {} with the default. The fit rests on {:.0} of {} pairs by \
             weight.</p>\n",
            share(tuned),
            share(default),
            result.effective.unwrap_or(0.0),
            result.pairs
        ),
    };
    format!(
        "<div class=\"scroll\">\n<table>\n<thead><tr><th>setting</th><th class=\"n\">value</th><th class=\"n\">95 % interval</th>\
         <th class=\"n\">default</th><th class=\"n\">range</th></tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n{fitted}",
        result.settings.iter().map(row).collect::<String>()
    )
}

/// Two axes and what is drawn between them.
struct Chart {
    x: Scale,
    y: Scale,
    svg: String,
}

#[derive(Clone, Copy)]
struct Scale {
    low: f64,
    high: f64,
    log: bool,
}

impl Scale {
    fn part(self, value: f64) -> f64 {
        let scale = |x: f64| if self.log { x.ln() } else { x };
        let part = (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low));
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.5 }
    }

    fn ticks(self) -> Vec<f64> {
        if self.log {
            let value = |i: i32| self.low * (self.high / self.low).powf(f64::from(i) / 4.0);
            return (0..5).map(|i| format!("{:.1e}", value(i)).parse().unwrap_or(self.low)).collect();
        }
        let step = round_step((self.high - self.low) / 4.0);
        let first = (self.low / step).ceil() as i64;
        let tick = |i: i64| ((i as f64 * step) * 1e9).round() / 1e9;
        (first..first + 12).map(tick).take_while(|x| *x <= self.high + 1e-9 * step).collect()
    }
}

impl Chart {
    /// A chart whose values up are printed by `label`.
    fn new(x: Scale, y: Scale, label: impl Fn(f64) -> String) -> Chart {
        let mut chart = Chart { x, y, svg: String::new() };
        for tick in y.ticks() {
            let at = chart.up(tick);
            chart.push(format_args!(
                r#"<line class="grid" x1="{LEFT}" y1="{at:.1}" x2="{}" y2="{at:.1}"/>"#,
                WIDTH - RIGHT
            ));
            chart.push(format_args!(
                r#"<text x="{}" y="{:.1}" text-anchor="end">{}</text>"#,
                LEFT - 6.0,
                at + 4.0,
                label(tick)
            ));
        }
        for tick in x.ticks() {
            let at = chart.across(tick);
            chart.push(format_args!(r#"<text x="{at:.1}" y="{}" text-anchor="middle">{tick}</text>"#, HEIGHT - 10.0));
        }
        chart
    }

    fn across(&self, value: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * self.x.part(value)
    }

    fn up(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * self.y.part(value)
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        self.svg.write_fmt(element).expect("writing to a string cannot fail");
        self.svg.push('\n');
    }

    fn shape(&mut self, element: &str, class: &str, points: impl Iterator<Item = [f64; 2]>) {
        let points = points.map(|[x, y]| format!("{:.1},{:.1}", self.across(x), self.up(y)));
        let points = points.collect::<Vec<_>>().join(" ");
        self.push(format_args!(r#"<{element} class="{class}" points="{points}"/>"#));
    }

    /// A vertical line at a value, with a word above it.
    fn mark(&mut self, value: f64, class: &str, word: &str) {
        let (x, bottom) = (self.across(value), HEIGHT - BOTTOM);
        self.push(format_args!(r#"<line class="{class}" x1="{x:.1}" y1="{TOP}" x2="{x:.1}" y2="{bottom}"/>"#));
        self.push(format_args!(r#"<text x="{x:.1}" y="{}" text-anchor="middle">{word}</text>"#, TOP - 4.0));
    }

    fn finish(self, title: &str) -> String {
        format!(
            "<figure>\n<figcaption>{0}</figcaption>\n<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
             aria-label=\"{0}\" style=\"max-width:660px\">\n{1}</svg>\n</figure>\n",
            escape(title),
            self.svg
        )
    }
}

/// The results in parts of the range, with the fitted curve and the interval of the value found.
fn landscape(result: &TuneResult, setting: &TunedValue) -> String {
    let [low, high] = setting.range;
    let scores = setting.parts.iter().map(|part| part[1]).chain(setting.curve.iter().map(|point| point[1]));
    let (least, most) = scores.fold((1.0f64, 0.0f64), |(least, most), y| (least.min(y), most.max(y)));
    if least > most {
        return "<p class=\"sub\">no pairs yet</p>\n".to_owned();
    }
    let y = Scale { low: (least - 0.02).max(0.0), high: (most + 0.02).min(1.0), log: false };
    let mut chart = Chart::new(Scale { low, high, log: setting.log }, y, |y| format!("{:.0} %", 100.0 * y));
    if let [Some(from), Some(mid), Some(to)] = setting.found {
        chart.shape("polygon", "band", [[from, y.low], [from, y.high], [to, y.high], [to, y.low]].into_iter());
        chart.mark(mid, "bound", "");
    } else if let Some(mid) = setting.found[1] {
        chart.mark(mid, "bound", "");
    }
    if let Some(default) = setting.default.filter(|default| (low..=high).contains(default)) {
        chart.mark(default, "zero", "default");
    }
    chart.shape("polyline", "line", setting.curve.iter().copied());
    let largest = setting.parts.iter().map(|part| part[2]).fold(1.0, f64::max);
    for [value, score, n] in setting.parts.iter().copied() {
        let (x, y, r) = (chart.across(value), chart.up(score), 2.0 + 5.0 * (n / largest).sqrt());
        chart.push(format_args!(
            r#"<circle class="point" cx="{x:.1}" cy="{y:.1}" r="{r:.1}"><title>{n} pairs: {:.1} %</title></circle>"#,
            100.0 * score
        ));
    }
    let others = if result.settings.len() > 1 { ", the curve with the other settings at the values found" } else { "" };
    chart.finish(&format!("{}: score of the pairs in parts of the range{others}", setting.name))
}

/// The fitted score of two settings.
fn heat(result: &TuneResult) -> String {
    let ([one, other], false) = (result.settings.as_slice(), result.surface.is_empty()) else { return String::new() };
    let scale = |setting: &TunedValue| Scale { low: setting.range[0], high: setting.range[1], log: setting.log };
    let mut chart = Chart::new(scale(one), scale(other), |y| y.to_string());
    let scores = || result.surface.iter().map(|cell| cell[2]);
    let (least, most) = (scores().fold(f64::MAX, f64::min), scores().fold(f64::MIN, f64::max));
    let side = (result.surface.len() as f64).sqrt();
    let (width, height) = ((WIDTH - LEFT - RIGHT) / side, (HEIGHT - TOP - BOTTOM) / side);
    for [a, b, score] in result.surface.iter().copied() {
        let (x, y) = (chart.across(a) - width / 2.0, chart.up(b) - height / 2.0);
        let strength = if most > least { 0.05 + 0.75 * (score - least) / (most - least) } else { 0.1 };
        chart.push(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"var(--accent)\" fill-opacity=\"{strength:.2}\">\
             <title>{:.1} %</title></rect>",
            width + 0.2,
            height + 0.2,
            100.0 * score
        ));
    }
    if let (Some(a), Some(b)) = (one.found[1], other.found[1]) {
        let (x, y) = (chart.across(a), chart.up(b));
        chart.push(format_args!(
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="6" fill="none" stroke="var(--lost)" stroke-width="3"/>"#
        ));
    }
    let title = format!(
        "fitted score over {} (across) and {} (up), {:.1} .. {:.1} %",
        one.name,
        other.name,
        100.0 * least,
        100.0 * most
    );
    chart.finish(&title)
}

/// The value found over the number of pairs, with its interval.
fn way(result: &TuneResult, axis: usize) -> String {
    let setting = &result.settings[axis];
    let [low, high] = setting.range;
    let Some(last) = result.trajectory.last().filter(|_| result.trajectory.len() > 1) else { return String::new() };
    let x = Scale { low: 0.0, high: last.pairs as f64, log: false };
    let mut chart = Chart::new(x, Scale { low, high, log: setting.log }, |y| y.to_string());
    let end = |which: usize| {
        result.trajectory.iter().filter_map(move |point| Some([point.pairs as f64, point.values[axis][which]?]))
    };
    let (lower, upper): (Vec<_>, Vec<_>) = (end(0).collect(), end(2).collect());
    if !lower.is_empty() {
        chart.shape("polygon", "band", lower.into_iter().chain(upper.into_iter().rev()));
    }
    if let Some(default) = setting.default.filter(|default| (low..=high).contains(default)) {
        chart.shape("polyline", "zero", [[0.0, default], [x.high, default]].into_iter());
    }
    chart.shape("polyline", "line", end(1));
    chart.finish(&format!("{} over the number of pairs, dashed the default", setting.name))
}
