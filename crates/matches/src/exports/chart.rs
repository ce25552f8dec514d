//! Two axes with curves, points and bands between them, as SVG. Written by hand: the colours are variables of a style sheet, so that
//! they follow light and dark themes, and the few shapes need little code.

use std::fmt::{Arguments, Write};

use super::report::Figure;

/// The style sheet of all figures; its colours are variables.
pub(super) const STYLE: &str = include_str!("chart.css");

/// The most round numbers on an axis: it has fewer, unless its ends are too close for numbers between them.
const MOST_TICKS: u32 = 8;

/// The picture and the edges of its plot.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

/// Pictures of pages; narrow, so that the letters stay readable on a screen of 375 pixels.
pub(super) const ON_PAGE: Frame =
    Frame { width: 440.0, height: 230.0, left: 50.0, right: 426.0, top: 16.0, bottom: 200.0 };

/// The numbers of an axis.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) form: Form,
}

/// The form of the numbers of an axis.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Form {
    Number,
    /// Numbers at the places of their logarithms.
    Log,
    /// Counts.
    Whole,
    /// Shares, as percent.
    Percent,
}

impl Form {
    pub(super) fn of_setting(log: bool) -> Form {
        if log { Form::Log } else { Form::Number }
    }
}

impl Scale {
    /// The part of the axis below a value, 0 .. 1.
    pub(super) fn part(self, value: f64) -> f64 {
        let scale = |x: f64| if self.form == Form::Log { x.ln() } else { x };
        let part = (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low));
        if part.is_finite() { part.clamp(0.0, 1.0) } else { 0.5 }
    }

    /// Round numbers within the axis, with their labels.
    pub(super) fn ticks(self) -> Vec<(f64, String)> {
        if self.form == Form::Log {
            let value = |i: i32| self.low * (self.high / self.low).powf(f64::from(i) / 4.0);
            let rounded = |value: f64| format!("{value:.1e}").parse().unwrap_or(value);
            return (0..5).map(|i| rounded(value(i))).map(|value| (value, value.to_string())).collect();
        }
        let (unit, sign) = if self.form == Form::Percent { (100.0, " %") } else { (1.0, "") };
        let (low, high) = (self.low * unit, self.high * unit);
        let step = round_step((high - low) / 5.0).max(if self.form == Form::Whole { 1.0 } else { 0.0 });
        let digits = (-step.log10().floor()).clamp(0.0, 12.0) as usize;
        let first = (low / step).ceil();
        let ticks = (0..MOST_TICKS).map(|i| (first + f64::from(i)) * step).take_while(|x| *x <= high + 1e-9 * step);
        // Adding zero removes the sign of -0.
        ticks.map(|x| (x / unit, format!("{:.digits$}{sign}", x + 0.0))).collect()
    }
}

/// The next larger of 1, 2 and 5 times a power of ten.
fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|k| k * power).find(|&step| step >= least).unwrap_or(10.0 * power)
}

/// A plot that is being drawn.
pub(super) struct Chart {
    frame: Frame,
    x: Scale,
    y: Scale,
    svg: String,
}

impl Chart {
    /// Without axes: only elements at places of the picture.
    pub(super) fn empty(frame: Frame) -> Chart {
        let unused = Scale { low: 0.0, high: 1.0, form: Form::Number };
        Chart { frame, x: unused, y: unused, svg: String::new() }
    }

    /// The axes.
    pub(super) fn new(frame: Frame, x: Scale, y: Scale) -> Chart {
        let mut chart = Chart { x, y, ..Chart::empty(frame) };
        for (value, label) in y.ticks() {
            chart.level("grid", value);
            chart.text([frame.left - 6.0, chart.up(value) + 4.0], "end", &label);
        }
        for (value, label) in x.ticks() {
            chart.text([chart.across(value), frame.bottom + 20.0], "middle", &label);
        }
        chart
    }

    /// The place of a value from the left.
    pub(super) fn across(&self, value: f64) -> f64 {
        let Frame { left, right, .. } = self.frame;
        left + (right - left) * self.x.part(value)
    }

    /// The place of a value from above.
    pub(super) fn up(&self, value: f64) -> f64 {
        let Frame { top, bottom, .. } = self.frame;
        bottom - (bottom - top) * self.y.part(value)
    }

    /// An element.
    pub(super) fn push(&mut self, element: Arguments<'_>) {
        self.svg.write_fmt(element).expect("writing to a string cannot fail");
        self.svg.push('\n');
    }

    /// A text at a place of the picture.
    pub(super) fn text(&mut self, [x, y]: [f64; 2], anchor: &str, text: &str) {
        self.push(format_args!(r#"<text x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{text}</text>"#));
    }

    /// A straight line between two points.
    pub(super) fn line(&mut self, class: &str, [from, to]: [[f64; 2]; 2]) {
        let [[x1, y1], [x2, y2]] = [from, to].map(|[x, y]| [self.across(x), self.up(y)]);
        self.push(format_args!(r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#));
    }

    /// A line over the whole width at a value.
    pub(super) fn level(&mut self, class: &str, value: f64) {
        self.line(class, [[self.x.low, value], [self.x.high, value]]);
    }

    /// A line over the whole height at a value, with a word above it.
    pub(super) fn mark(&mut self, class: &str, value: f64, word: &str) {
        self.line(class, [[value, self.y.low], [value, self.y.high]]);
        self.text([self.across(value), self.frame.top - 4.0], "middle", word);
    }

    /// A curve through the points.
    pub(super) fn curve(&mut self, class: &str, points: impl IntoIterator<Item = [f64; 2]>) {
        self.shape("polyline", class, points);
    }

    /// The area between two curves that run from left to right.
    pub(super) fn band(&mut self, lower: Vec<[f64; 2]>, upper: Vec<[f64; 2]>) {
        self.shape("polygon", "band", upper.into_iter().chain(lower.into_iter().rev()));
    }

    fn shape(&mut self, element: &str, class: &str, points: impl IntoIterator<Item = [f64; 2]>) {
        let points = points.into_iter().map(|[x, y]| format!("{:.1},{:.1}", self.across(x), self.up(y)));
        let points = points.collect::<Vec<_>>().join(" ");
        self.push(format_args!(r#"<{element} class="{class}" points="{points}"/>"#));
    }

    /// The interval of a value, and its middle.
    pub(super) fn interval(&mut self, span: [Option<f64>; 3]) {
        let (low, high) = (self.y.low, self.y.high);
        if let [Some(from), _, Some(to)] = span {
            self.band(vec![[from, low], [to, low]], vec![[from, high], [to, high]]);
        }
        if let Some(mid) = span[1] {
            self.mark("bound", mid, "");
        }
    }

    /// A point that shows a text under the pointer.
    pub(super) fn point(&mut self, [x, y]: [f64; 2], radius: f64, hint: &str) {
        let (x, y) = (self.across(x), self.up(y));
        let hint = if hint.is_empty() { String::new() } else { format!("<title>{hint}</title>") };
        self.push(format_args!(r#"<circle class="point" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}">{hint}</circle>"#));
    }

    /// The picture with its caption.
    pub(super) fn figure(self, caption: impl Into<String>) -> Figure {
        let Frame { width, height, .. } = self.frame;
        Figure { caption: caption.into(), width: Some(width), height, elements: self.svg }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(low: f64, high: f64, form: Form, expected: &[&str]) {
        let labels: Vec<String> = Scale { low, high, form }.ticks().into_iter().map(|(_, label)| label).collect();
        assert_eq!(labels, expected);
    }

    #[test]
    fn ticks_are_round_numbers_with_the_digits_that_they_need() {
        check(-1.0, 4.0, Form::Number, &["-1", "0", "1", "2", "3", "4"]);
        check(1000.0, 1010.0, Form::Number, &["1000", "1002", "1004", "1006", "1008", "1010"]);
        check(-0.1, 0.3, Form::Number, &["-0.1", "0.0", "0.1", "0.2", "0.3"]);
        check(0.0, 3.0, Form::Whole, &["0", "1", "2", "3"]);
        check(0.485, 0.515, Form::Percent, &["49 %", "50 %", "51 %"]);
        check(0.1, 10.0, Form::Log, &["0.1", "0.32", "1", "3.2", "10"]);
    }

    #[test]
    fn a_scale_without_extent_has_a_place_for_its_value() {
        assert_eq!(Scale { low: 2.0, high: 2.0, form: Form::Number }.part(2.0), 0.5);
        assert!(Scale { low: 1e300, high: 1e300 + 1e285, form: Form::Number }.ticks().len() <= MOST_TICKS as usize);
    }
}
