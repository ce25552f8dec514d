//! Values with intervals as a row for each, on a scale of the width of the page: places across are shares of the width and texts keep
//! their size, so that a narrow screen shows the same chart.

use std::fmt::{Arguments, Write};

use banyan_catalog::escape;
use banyan_catalog::strength::{Span, signed};

use super::chart::{Form, Scale};
use super::report::Figure;

/// Characters of a name in the chart.
const LONGEST_NAME: usize = 34;

/// Height of a row, in pixels.
const ROW: usize = 46;

/// A row: a value with its interval.
pub(super) struct Dot {
    name: String,
    span: Span,
    /// A wider interval, as a thin line.
    wide: Option<Span>,
    /// Whether it is a heading of the rows below.
    is_heading: bool,
}

impl Dot {
    pub(super) fn of(name: &str, span: Span) -> Dot {
        Dot { name: name.to_owned(), span, wide: None, is_heading: false }
    }

    /// A difference with a wider interval besides its own; the axis has 0.
    pub(super) fn with_wide(name: &str, span: Span, wide: Span) -> Dot {
        Dot { wide: Some(wide), ..Dot::of(name, span) }
    }

    /// A heading of the rows below.
    pub(super) fn heading(name: &str) -> Dot {
        Dot { is_heading: true, ..Dot::of(name, [None; 3]) }
    }

    /// The value in the form of the axis, and with its interval.
    fn texts(&self, form: Form) -> [String; 2] {
        let percent = |x: Option<f64>| x.map_or_else(|| "?".to_owned(), |x| format!("{:.1} %", 100.0 * x));
        let [low, mid, high] = self.span;
        match form {
            Form::Percent => [percent(mid), format!("{} ({} .. {})", percent(mid), percent(low), percent(high))],
            _ => [mid.map_or_else(|| "?".to_owned(), |mid| format!("{mid:+.0}")), signed(self.span)],
        }
    }
}

/// The chart; `None` if no value is known.
pub(super) fn dots(rows: Vec<Dot>, form: Form, caption: &str) -> Option<Figure> {
    let zero = rows.iter().filter_map(|row| row.wide.map(|_| 0.0));
    let spans = rows.iter().flat_map(|row| std::iter::once(row.span).chain(row.wide)).flatten().flatten();
    let ends = spans.chain(zero);
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)));
    if low > high {
        return None;
    }
    let least = if form == Form::Percent { 0.1 } else { 20.0 };
    let room = 0.05 * (high - low).max(least);
    let scale = Scale { low: low - room, high: high + room, form };
    let bottom = ROW * rows.len() + 6;
    let mut chart = Rows { scale, elements: String::new() };
    for (value, label) in scale.ticks() {
        let (at, class) = (chart.across(value), if value == 0.0 { "zero" } else { "grid" });
        chart.push(format_args!(r#"<line class="{class}" x1="{at:.2}%" x2="{at:.2}%" y1="0" y2="{bottom}"/>"#));
        chart.push(format_args!(r#"<text x="{at:.2}%" y="{}" text-anchor="middle">{label}</text>"#, bottom + 16));
    }
    rows.iter().enumerate().for_each(|(i, row)| chart.row(i, row));
    let height = (bottom + 24) as f64;
    Some(Figure { caption: caption.to_owned(), width: None, height, elements: chart.elements })
}

struct Rows {
    scale: Scale,
    elements: String,
}

impl Rows {
    fn across(&self, value: f64) -> f64 {
        2.0 + 96.0 * self.scale.part(value)
    }

    fn push(&mut self, element: Arguments<'_>) {
        self.elements.write_fmt(element).expect("writing to a string cannot fail");
        self.elements.push('\n');
    }

    fn row(&mut self, i: usize, row: &Dot) {
        let (text_y, bar_y) = (ROW * i + 18, ROW * i + 33);
        let [lower, mid, upper] = row.span;
        let name = escape(&shortened(&row.name, LONGEST_NAME));
        if row.is_heading {
            let y = bar_y + 2;
            return self.push(format_args!(r#"<text class="name heading" x="0" y="{y}">{name}</text>"#));
        }
        let [value, full] = row.texts(self.scale.form);
        self.push(format_args!("<g><title>{}</title>", escape(&format!("{}: {full}", row.name))));
        self.push(format_args!(r#"<text class="name" x="0" y="{text_y}">{name}</text>"#));
        self.push(format_args!(r#"<text class="name" x="100%" y="{text_y}" text-anchor="end">{value}</text>"#));
        let mut bar = |class: &str, lower: Option<f64>, upper: Option<f64>| {
            let (from, to) = (lower.map_or(0.0, |x| self.across(x)), upper.map_or(100.0, |x| self.across(x)));
            self.push(format_args!(
                r#"<line class="{class}" x1="{from:.2}%" x2="{to:.2}%" y1="{bar_y}" y2="{bar_y}"/>"#
            ));
        };
        // A row that was won or lost in every game has no value, but one end.
        if let Some([lower, _, upper]) = row.wide.filter(|wide| wide.iter().any(Option::is_some)) {
            bar("barall", lower, upper);
        }
        if mid.is_some() || (row.wide.is_some() && (lower.is_some() || upper.is_some())) {
            bar("bar95", lower, upper);
        }
        if let Some(mid) = mid {
            let at = self.across(mid);
            self.push(format_args!(r#"<circle class="point" cx="{at:.2}%" cy="{bar_y}" r="5"/>"#));
        }
        self.push(format_args!("</g>"));
    }
}

/// A name cut to `longest` characters.
pub(super) fn shortened(name: &str, longest: usize) -> String {
    match name.chars().count() > longest {
        true => name.chars().take(longest - 1).chain(['\u{2026}']).collect(),
        false => name.to_owned(),
    }
}
