//! The figure of a sweep: points with 95 % bars, the fitted curve and a line for each repetition, or a heat map.

use banyan_catalog::escape;

use banyan_texts::Language;

use super::chart::{Chart, Form, Frame, Scale};
use super::report::Figure;
use crate::sweep::rounding::short;
use crate::sweep::{SweepPoint, SweepResult};
use crate::sweep_config::Quantity;

/// Narrow enough that the letters stay readable on a screen of 375 pixels.
const FRAME: Frame = Frame { width: 440.0, height: 310.0, left: 64.0, right: 430.0, top: 20.0, bottom: 262.0 };

/// The figure; `None` for fewer than two values of each setting, which span no axis.
pub(super) fn sweep_figure(result: &SweepResult, language: Language) -> Option<Figure> {
    let is_placed = |point: &SweepPoint| point.values.len() == result.settings.len();
    match result.settings.as_slice() {
        _ if !result.points.iter().all(is_placed) => None,
        [_] => curve(result, language),
        [_, _] => heat_map(result, language),
        _ => None,
    }
}

/// The points with their bars and the fitted curve.
fn curve(result: &SweepResult, language: Language) -> Option<Figure> {
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
        chart.mark("zero", default, &language.say("sweep.default", &[]));
    }
    for part in &result.repetitions {
        chart.curve("repetition", values().zip(&part.means).filter_map(|(value, mean)| Some([value, mean[1]?])));
    }
    for (value, [low, mid, high]) in values().zip(result.points.iter().map(|point| point.mean)) {
        if let (Some(low), Some(high)) = (low, high) {
            chart.line("bar95", [[value, low], [value, high]]);
        }
        if let Some(mid) = mid {
            chart.point([value, mid], 4.5, "");
        }
    }
    chart.level("axis", y.low);
    let unit = unit(result, language);
    axis_names(&mut chart, &setting.name, &unit);
    Some(chart.figure(language.say("sweep.curve", &[("unit", &unit), ("name", &setting.name)])))
}

/// The least and the largest of some numbers.
fn ends(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |ends, x| Some(ends.map_or((x, x), |(low, high): (f64, f64)| (low.min(x), high.max(x)))))
}

fn axis_names(chart: &mut Chart, across: &str, up: &str) {
    let (middle, height) = (f64::midpoint(FRAME.left, FRAME.right), f64::midpoint(FRAME.top, FRAME.bottom));
    chart.text([middle, FRAME.height - 10.0], "middle", &escape(across));
    let up = escape(up);
    chart.push(format_args!(
        r#"<text x="14" y="{height}" text-anchor="middle" transform="rotate(-90 14 {height})">{up}</text>"#
    ));
}

fn unit(result: &SweepResult, language: Language) -> String {
    match result.quantity {
        Quantity::Score => language.say("sweep.score-unit", &[]),
        Quantity::Margin => language.say("sweep.margin-unit", &[]),
    }
}

fn tick(result: &SweepResult, value: f64) -> String {
    match result.quantity {
        Quantity::Score => format!("{}", (1000.0 * value).round() / 10.0),
        Quantity::Margin => short(value),
    }
}

/// A cell for each pair of values, darker where the result is better, with its number; the optimum is a cross in the box of its intervals.
fn heat_map(result: &SweepResult, language: Language) -> Option<Figure> {
    let axis_values = |axis: usize| {
        let mut values: Vec<f64> = result.points.iter().map(|point| point.values[axis]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values
    };
    let (columns, rows) = (axis_values(0), axis_values(1));
    if columns.len() < 2 || rows.len() < 2 {
        return None;
    }
    let mut map = Map { chart: Chart::empty(FRAME), columns, rows };
    map.cells(result);
    map.labels();
    if let [Some([Some(x1), Some(x), Some(x2)]), Some([Some(y1), Some(y), Some(y2)])] =
        [result.settings[0].optimum, result.settings[1].optimum]
    {
        map.optimum([x1, x, x2], [y1, y, y2]);
    }
    let [across, up] = [0, 1].map(|axis| result.settings[axis].name.as_str());
    let unit = unit(result, language);
    axis_names(&mut map.chart, across, &format!("{up} ({unit})"));
    Some(map.chart.figure(language.say("sweep.map", &[("unit", &unit), ("across", &across), ("up", &up)])))
}

/// Cells for the values of two settings.
struct Map {
    chart: Chart,
    columns: Vec<f64>,
    rows: Vec<f64>,
}

impl Map {
    /// Width and height of a cell.
    fn cell(&self) -> [f64; 2] {
        [(FRAME.right - FRAME.left) / self.columns.len() as f64, (FRAME.bottom - FRAME.top) / self.rows.len() as f64]
    }

    /// The middle of a value's column, and of a value's row.
    fn across(&self, value: f64) -> f64 {
        FRAME.left + self.cell()[0] * (place(&self.columns, value) + 0.5)
    }

    fn up(&self, value: f64) -> f64 {
        FRAME.bottom - self.cell()[1] * (place(&self.rows, value) + 0.5)
    }

    fn cells(&mut self, result: &SweepResult) {
        let [width, height] = self.cell();
        let (least, most) = ends(result.points.iter().filter_map(|point| point.mean[1])).unwrap_or_default();
        for point in &result.points {
            let (x, y) = (self.across(point.values[0]), self.up(point.values[1]));
            let Some(mean) = point.mean[1] else { continue };
            let strength = 0.08 + 0.6 * if most > least { (mean - least) / (most - least) } else { 0.0 };
            self.chart.push(format_args!(
                r#"<rect class="cell" x="{:.1}" y="{:.1}" width="{:.1}" height="{:.1}" fill-opacity="{strength:.2}"/>"#,
                x - width / 2.0,
                y - height / 2.0,
                width - 2.0,
                height - 2.0
            ));
            if width >= 44.0 {
                self.chart.text([x - 1.0, y + 4.0], "middle", &tick(result, mean));
            }
        }
    }

    /// The values of the settings; labels that would touch are left out.
    fn labels(&mut self) {
        let [width, height] = self.cell();
        for value in self.columns.clone().into_iter().step_by((46.0 / width).ceil() as usize) {
            self.chart.text([self.across(value), FRAME.bottom + 20.0], "middle", &short(value).to_string());
        }
        for value in self.rows.clone().into_iter().step_by((18.0 / height).ceil() as usize) {
            self.chart.text([FRAME.left - 8.0, self.up(value) + 5.0], "end", &short(value).to_string());
        }
    }

    fn optimum(&mut self, [x1, x, x2]: [f64; 3], [y1, y, y2]: [f64; 3]) {
        let [x1, x, x2] = [x1, x, x2].map(|value| self.across(value));
        let [y1, y, y2] = [y1, y, y2].map(|value| self.up(value));
        let (width, height) = (x2 - x1, y1 - y2);
        self.chart.push(format_args!(
            r#"<rect class="box" x="{x1:.1}" y="{y2:.1}" width="{width:.1}" height="{height:.1}"/>"#
        ));
        let (left, top) = (x - 8.0, y - 8.0);
        self.chart.push(format_args!(r#"<path class="found" d="M{left:.1} {y:.1}h16M{x:.1} {top:.1}v16"/>"#));
    }
}

/// The place of a value among others, with fractions between two.
fn place(values: &[f64], value: f64) -> f64 {
    let after = values.partition_point(|x| *x < value).clamp(1, values.len() - 1);
    let (low, high) = (values[after - 1], values[after]);
    (after - 1) as f64 + ((value - low) / (high - low)).clamp(0.0, 1.0)
}
