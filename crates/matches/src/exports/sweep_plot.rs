//! A sweep as a self-contained SVG picture in light or dark colours: points with 95 % bars, the fitted curve and a
//! line for each repetition, or a heat map.

use std::fmt::Write as _;

use banyan_catalog::escape;

use super::chart::{Chart, Form, Frame, Scale};
use crate::sweep::rounding::short;
use crate::sweep::{SweepPoint, SweepResult};
use crate::sweep_config::Quantity;

/// Narrow enough that the letters stay readable on a screen of 375 pixels.
const FRAME: Frame = Frame { width: 480.0, height: 370.0, left: 64.0, right: 462.0, top: 68.0, bottom: 318.0 };

const STYLE: &str = ":root{--ground:#fff;--text:#333;--grid:#ddd;--point:#0072b2;--curve:#d55e00;--band:#d55e0026}\
@media(prefers-color-scheme:dark){:root{--ground:#16181c;--text:#ddd;--grid:#3a3f47;--point:#56b4e9;--curve:#f0a35e;--band:#f0a35e33}}\
.ground{fill:var(--ground)}.grid{stroke:var(--grid)}.axis{stroke:var(--text)}.band{fill:var(--band)}\
.line{fill:none;stroke:var(--curve);stroke-width:2.5}.bound{stroke:var(--curve);stroke-width:1.5;stroke-dasharray:5 4}\
.zero{stroke:var(--text);stroke-dasharray:2 4}.bar{stroke:var(--point);stroke-width:2}.point{fill:var(--point)}\
.repetition{fill:none;stroke:var(--point);stroke-width:1.2;opacity:.55}\
.cell{fill:var(--point)}.cross{stroke:var(--curve);stroke-width:3}.box{fill:none;stroke:var(--curve);stroke-width:2;stroke-dasharray:5 4}\
text{font:15px system-ui,sans-serif;fill:var(--text)}.title{font-size:16px;font-weight:bold}\
.right{text-anchor:end}.middle{text-anchor:middle}";

/// The picture of a sweep; without points and axes if it has fewer than two values.
pub fn sweep_svg(result: &SweepResult) -> String {
    let names: Vec<&str> = result.settings.iter().map(|row| row.name.as_str()).collect();
    let title = format!("{}: {}", result.game, names.join(" and "));
    let against = format!("against {}, {} pairs", result.opponent, result.pairs);
    let Frame { width, height, .. } = FRAME;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         style=\"width:100%;max-width:{}px\">\n<title>{1}</title>\n<desc>{3}</desc>\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{width}\" height=\"{height}\" rx=\"8\"/>\n\
         <text class=\"title\" x=\"14\" y=\"24\">{1}</text>\n<text x=\"14\" y=\"44\">{2}</text>\n",
        1.5 * width,
        escape(&cut(&title)),
        escape(&cut(&against)),
        escape(&result.conclusion)
    );
    let is_placed = |point: &SweepPoint| point.values.len() == result.settings.len();
    match result.settings.as_slice() {
        _ if !result.points.iter().all(is_placed) => {}
        [_] => out += &curve(result).unwrap_or_default(),
        [_, _] => heat_map(&mut out, result).expect("text can always be written to a string"),
        _ => {}
    }
    out + "</svg>\n"
}

/// The part of a line that fits.
fn cut(text: &str) -> String {
    const MOST: usize = 56;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST - 1).chain(['…']).collect() }
}

/// The points with their bars and the fitted curve; `None` for fewer than two values, which span no axis.
fn curve(result: &SweepResult) -> Option<String> {
    let setting = &result.settings[0];
    let values = || result.points.iter().map(|point| point.values[0]);
    let (low, high) = ends(values())?;
    let repetitions = result.repetitions.iter().flat_map(|part| &part.means).filter_map(|mean| mean[1]);
    let of_points = result.points.iter().flat_map(|point| point.mean.into_iter().chain([point.fitted, result.top]));
    let (least, most) = ends(of_points.flatten().chain(repetitions))?;
    if low >= high {
        return None;
    }
    let (form, spare) = match result.quantity {
        Quantity::Score => (Form::Percent, 0.02),
        Quantity::Margin => (Form::Number, 0.2),
    };
    let spare = 0.05 * (most - least).max(spare);
    let y = Scale { low: least - spare, high: most + spare, form };
    let mut chart = Chart::new(FRAME, Scale { low, high, form: Form::of_setting(setting.log) }, y);
    if let Some(optimum @ [Some(_), Some(_), Some(_)]) = setting.optimum {
        chart.interval(optimum);
        chart.curve("line", result.curve.iter().copied());
    }
    if let Some(default) = setting.default.filter(|default| (low..=high).contains(default)) {
        chart.mark("zero", default, "default");
    }
    for part in &result.repetitions {
        chart.curve("repetition", values().zip(&part.means).filter_map(|(value, mean)| Some([value, mean[1]?])));
    }
    for (value, [low, mid, high]) in values().zip(result.points.iter().map(|point| point.mean)) {
        if let (Some(low), Some(high)) = (low, high) {
            chart.line("bar", [[value, low], [value, high]]);
        }
        if let Some(mid) = mid {
            chart.point([value, mid], 4.5, "");
        }
    }
    chart.level("axis", y.low);
    let mut svg = chart.elements();
    axis_names(&mut svg, &setting.name, unit(result)).expect("text can always be written to a string");
    Some(svg)
}

/// The least and the largest of some numbers.
fn ends(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |ends, x| Some(ends.map_or((x, x), |(low, high): (f64, f64)| (low.min(x), high.max(x)))))
}

/// Names of the axes.
fn axis_names(out: &mut String, across: &str, up: &str) -> std::fmt::Result {
    let (middle, height) = (f64::midpoint(FRAME.left, FRAME.right), f64::midpoint(FRAME.top, FRAME.bottom));
    writeln!(out, r#"<text class="middle" x="{middle}" y="{}">{}</text>"#, FRAME.height - 10.0, escape(across))?;
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
    let Frame { left, right, top, bottom, .. } = FRAME;
    let (width, height) = ((right - left) / columns.len() as f64, (bottom - top) / rows.len() as f64);
    let (least, most) = ends(result.points.iter().filter_map(|point| point.mean[1])).unwrap_or_default();
    for point in &result.points {
        let index = |values: &[f64], value: f64| values.partition_point(|x| *x < value) as f64;
        let (x, y) =
            (left + width * index(&columns, point.values[0]), bottom - height * (1.0 + index(&rows, point.values[1])));
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
        let at = left + width * (i as f64 + 0.5);
        writeln!(out, r#"<text class="middle" x="{at:.1}" y="{}">{}</text>"#, bottom + 20.0, short(*value))?;
    }
    for (i, value) in rows.iter().enumerate().step_by((18.0 / height).ceil() as usize) {
        let at = bottom - height * (i as f64 + 0.5) + 5.0;
        writeln!(out, r#"<text class="right" x="{}" y="{at:.1}">{}</text>"#, left - 8.0, short(*value))?;
    }
    let across = |value: f64| left + width * (place(&columns, value) + 0.5);
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
