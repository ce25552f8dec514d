//! A sweep as a self-contained SVG picture in light or dark colours: points with 95 % bars, the fitted curve and a
//! line for each repetition, or a heat map.

use std::fmt::Write as _;

use banyan_catalog::escape;

use super::result::{SweepPoint, SweepResult};
use super::rounding::short;
use crate::sweep_config::Quantity;

/// Narrow enough that the letters stay readable on a screen of 375 pixels.
const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 370.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 18.0;
const TOP: f64 = 68.0;
const BOTTOM: f64 = 52.0;
/// Round numbers on an axis: its seven or fewer, unless its ends are too close for numbers between them.
const MOST_TICKS: u32 = 8;

const STYLE: &str = ":root{--ground:#fff;--text:#333;--grid:#ddd;--point:#0072b2;--curve:#d55e00;--band:#d55e0026}\
@media(prefers-color-scheme:dark){:root{--ground:#16181c;--text:#ddd;--grid:#3a3f47;--point:#56b4e9;--curve:#f0a35e;--band:#f0a35e33}}\
.ground{fill:var(--ground)}.grid{stroke:var(--grid)}.axis{stroke:var(--text)}.band{fill:var(--band)}\
.curve{fill:none;stroke:var(--curve);stroke-width:2.5}.optimum{stroke:var(--curve);stroke-width:1.5;stroke-dasharray:5 4}\
.default{stroke:var(--text);stroke-dasharray:2 4}.bar{stroke:var(--point);stroke-width:2}.point{fill:var(--point)}\
.repetition{fill:none;stroke:var(--point);stroke-width:1.2;opacity:.55}\
.cell{fill:var(--point)}.cross{stroke:var(--curve);stroke-width:3}.box{fill:none;stroke:var(--curve);stroke-width:2;stroke-dasharray:5 4}\
text{font:15px system-ui,sans-serif;fill:var(--text)}.title{font-size:16px;font-weight:bold}\
.right{text-anchor:end}.middle{text-anchor:middle}";

/// The picture of a sweep; without points and axes if it has fewer than two values.
pub fn svg(result: &SweepResult) -> String {
    let names: Vec<&str> = result.settings.iter().map(|row| row.name.as_str()).collect();
    let title = format!("{}: {}", result.game, names.join(" and "));
    let against = format!("against {}, {} pairs", result.opponent, result.pairs);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         style=\"width:100%;max-width:{}px\">\n<title>{1}</title>\n<desc>{3}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\"/>\n\
         <text class=\"title\" x=\"14\" y=\"24\">{1}</text>\n<text x=\"14\" y=\"44\">{2}</text>\n",
        1.5 * WIDTH,
        escape(&cut(&title)),
        escape(&cut(&against)),
        escape(&result.conclusion)
    );
    let is_placed = |point: &SweepPoint| point.values.len() == result.settings.len();
    let drawn = match result.settings.as_slice() {
        _ if !result.points.iter().all(is_placed) => Ok(()),
        [_] => curve(&mut out, result),
        [_, _] => heat_map(&mut out, result),
        _ => Ok(()),
    };
    drawn.expect("text can always be written to a string");
    out + "</svg>\n"
}

/// The part of a line that fits.
fn cut(text: &str) -> String {
    const MOST: usize = 56;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST - 1).chain(['…']).collect() }
}

/// A number in the range of an axis as a place on the picture.
#[derive(Clone, Copy)]
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    log: bool,
}

impl Axis {
    fn at(&self, x: f64) -> f64 {
        let scale = |x: f64| if self.log { x.ln() } else { x };
        self.from + (scale(x) - scale(self.low)) / (scale(self.high) - scale(self.low)) * (self.to - self.from)
    }

    /// The value at a part of the axis.
    fn value(&self, part: f64) -> f64 {
        if self.log { self.low * (self.high / self.low).powf(part) } else { self.low + (self.high - self.low) * part }
    }

    /// Round numbers within the axis.
    fn ticks(&self) -> Vec<f64> {
        if self.log {
            return (0..5).map(|i| self.value(f64::from(i) / 4.0)).collect();
        }
        let least = (self.high - self.low) / 6.0;
        let power = 10f64.powf(least.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|step| *step >= least).unwrap_or(least);
        let first = (self.low / step).ceil();
        let ticks = (0..MOST_TICKS).map(|i| (first + f64::from(i)) * step);
        ticks.take_while(|x| *x <= self.high + 1e-9 * step).collect()
    }
}

fn curve(out: &mut String, result: &SweepResult) -> std::fmt::Result {
    let setting = &result.settings[0];
    let values = result.points.iter().map(|point| point.values[0]);
    let (low, high) = (values.clone().fold(f64::MAX, f64::min), values.fold(f64::MIN, f64::max));
    let x = Axis { low, high, from: LEFT + 14.0, to: WIDTH - RIGHT - 14.0, log: setting.log };
    let repetitions = || result.repetitions.iter().flat_map(|part| &part.means).filter_map(|mean| mean[1]);
    let of_points =
        || result.points.iter().flat_map(|point| point.mean.into_iter().chain([point.fitted, result.top])).flatten();
    let ends = || of_points().chain(repetitions());
    let (least, most) = (ends().fold(f64::MAX, f64::min), ends().fold(f64::MIN, f64::max));
    // Fewer than two values span no axis.
    if low >= high || least > most {
        return Ok(());
    }
    let spare = 0.05 * (most - least).max(if result.quantity == Quantity::Score { 0.02 } else { 0.2 });
    let y = Axis { low: least - spare, high: most + spare, from: HEIGHT - BOTTOM, to: TOP, log: false };
    let bottom = HEIGHT - BOTTOM;
    for value in y.ticks() {
        let at = y.at(value);
        writeln!(out, r#"<line class="grid" x1="{LEFT}" y1="{at:.1}" x2="{}" y2="{at:.1}"/>"#, WIDTH - RIGHT)?;
        writeln!(out, r#"<text class="right" x="{}" y="{:.1}">{}</text>"#, LEFT - 8.0, at + 5.0, tick(result, value))?;
    }
    for value in x.ticks() {
        let at = x.at(value);
        writeln!(out, r#"<text class="middle" x="{at:.1}" y="{}">{}</text>"#, bottom + 20.0, short(value))?;
    }
    if let Some([Some(from), Some(mid), Some(to)]) = setting.optimum {
        let (from, to, mid) = (x.at(from), x.at(to), x.at(mid));
        writeln!(
            out,
            r#"<rect class="band" x="{from:.1}" y="{TOP}" width="{:.1}" height="{}"/>"#,
            to - from,
            bottom - TOP
        )?;
        writeln!(out, r#"<line class="optimum" x1="{mid:.1}" y1="{TOP}" x2="{mid:.1}" y2="{bottom}"/>"#)?;
        let line = result.curve.iter().map(|&[value, fitted]| format!("{:.1},{:.1}", x.at(value), y.at(fitted)));
        writeln!(out, r#"<polyline class="curve" points="{}"/>"#, line.collect::<Vec<_>>().join(" "))?;
    }
    if let Some(at) = setting.default.filter(|default| (low..=high).contains(default)).map(|default| x.at(default)) {
        writeln!(out, r#"<line class="default" x1="{at:.1}" y1="{TOP}" x2="{at:.1}" y2="{bottom}"/>"#)?;
        writeln!(out, r#"<text class="middle" x="{at:.1}" y="{}">default</text>"#, TOP - 4.0)?;
    }
    for part in &result.repetitions {
        let means = part.means.iter().zip(&result.points).filter_map(|(mean, point)| Some((point.values[0], mean[1]?)));
        let line: Vec<String> = means.map(|(value, mean)| format!("{:.1},{:.1}", x.at(value), y.at(mean))).collect();
        writeln!(out, r#"<polyline class="repetition" points="{}"/>"#, line.join(" "))?;
    }
    for point in &result.points {
        let (at, [low, mid, high]) = (x.at(point.values[0]), point.mean);
        if let (Some(low), Some(high)) = (low, high) {
            let (low, high) = (y.at(low), y.at(high));
            writeln!(out, r#"<line class="bar" x1="{at:.1}" y1="{low:.1}" x2="{at:.1}" y2="{high:.1}"/>"#)?;
        }
        if let Some(mid) = mid {
            writeln!(out, r#"<circle class="point" cx="{at:.1}" cy="{:.1}" r="4.5"/>"#, y.at(mid))?;
        }
    }
    writeln!(out, r#"<line class="axis" x1="{LEFT}" y1="{bottom}" x2="{}" y2="{bottom}"/>"#, WIDTH - RIGHT)?;
    axis_names(out, &setting.name, unit(result))
}

/// Names of the axes.
fn axis_names(out: &mut String, across: &str, up: &str) -> std::fmt::Result {
    let (middle, height) = (f64::midpoint(LEFT, WIDTH - RIGHT), f64::midpoint(TOP, HEIGHT - BOTTOM));
    writeln!(out, r#"<text class="middle" x="{middle}" y="{}">{}</text>"#, HEIGHT - 10.0, escape(across))?;
    writeln!(
        out,
        r#"<text class="middle" x="16" y="{height}" transform="rotate(-90 16 {height})">{}</text>"#,
        escape(up)
    )
}

fn unit(result: &SweepResult) -> &'static str {
    match result.quantity {
        Quantity::Score => "score in %",
        Quantity::Margin => "mean margin in points",
    }
}

fn tick(result: &SweepResult, value: f64) -> String {
    match result.quantity {
        Quantity::Score => format!("{}", (1000.0 * value).round() / 10.0),
        Quantity::Margin => short(value),
    }
}

/// A cell for each pair of values, darker where the result is better, with its number; the optimum is a cross in the box of its intervals.
fn heat_map(out: &mut String, result: &SweepResult) -> std::fmt::Result {
    let axis_values = |axis: usize| {
        let mut values: Vec<f64> = result.points.iter().map(|point| point.values[axis]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    let (columns, rows) = (axis_values(0), axis_values(1));
    if columns.len() < 2 || rows.len() < 2 {
        return Ok(());
    }
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let (width, height) = ((right - LEFT) / columns.len() as f64, (bottom - TOP) / rows.len() as f64);
    let means = || result.points.iter().filter_map(|point| point.mean[1]);
    let (least, most) = (means().fold(f64::MAX, f64::min), means().fold(f64::MIN, f64::max));
    for point in &result.points {
        let index = |values: &[f64], value: f64| values.partition_point(|x| *x < value) as f64;
        let (x, y) =
            (LEFT + width * index(&columns, point.values[0]), bottom - height * (1.0 + index(&rows, point.values[1])));
        let Some(mean) = point.mean[1] else { continue };
        let strength = 0.08 + 0.6 * if most > least { (mean - least) / (most - least) } else { 0.0 };
        writeln!(
            out,
            r#"<rect class="cell" x="{x:.1}" y="{y:.1}" width="{:.1}" height="{:.1}" fill-opacity="{strength:.2}"/>"#,
            width - 2.0,
            height - 2.0
        )?;
        if width >= 44.0 {
            let (x, y) = (x + width / 2.0 - 1.0, y + height / 2.0 + 4.0);
            writeln!(out, r#"<text class="middle" x="{x:.1}" y="{y:.1}">{}</text>"#, tick(result, mean))?;
        }
    }
    // Labels that would touch are left out.
    for (i, value) in columns.iter().enumerate().step_by((46.0 / width).ceil() as usize) {
        let at = LEFT + width * (i as f64 + 0.5);
        writeln!(out, r#"<text class="middle" x="{at:.1}" y="{}">{}</text>"#, bottom + 20.0, short(*value))?;
    }
    for (i, value) in rows.iter().enumerate().step_by((18.0 / height).ceil() as usize) {
        let at = bottom - height * (i as f64 + 0.5) + 5.0;
        writeln!(out, r#"<text class="right" x="{}" y="{at:.1}">{}</text>"#, LEFT - 8.0, short(*value))?;
    }
    let across = |value: f64| LEFT + width * (place(&columns, value) + 0.5);
    let up = |value: f64| bottom - height * (place(&rows, value) + 0.5);
    if let [Some([Some(x1), Some(x), Some(x2)]), Some([Some(y1), Some(y), Some(y2)])] =
        [result.settings[0].optimum, result.settings[1].optimum]
    {
        let (x1, x, x2, y1, y, y2) = (across(x1), across(x), across(x2), up(y1), up(y), up(y2));
        writeln!(out, r#"<rect class="box" x="{x1:.1}" y="{y2:.1}" width="{:.1}" height="{:.1}"/>"#, x2 - x1, y1 - y2)?;
        writeln!(out, r#"<path class="cross" d="M{:.1} {y:.1}h16M{x:.1} {:.1}v16"/>"#, x - 8.0, y - 8.0)?;
    }
    let rows = format!("{} ({})", result.settings[1].name, unit(result));
    axis_names(out, &result.settings[0].name, &rows)
}

/// The place of a value among others, with fractions between two.
fn place(values: &[f64], value: f64) -> f64 {
    let after = values.partition_point(|x| *x < value).clamp(1, values.len() - 1);
    let (low, high) = (values[after - 1], values[after]);
    (after - 1) as f64 + ((value - low) / (high - low)).clamp(0.0, 1.0)
}
