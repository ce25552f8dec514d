//! Two curves as SVG: Elo with its interval, and the log-likelihood ratio between its bounds, over the pairs played.
//!
//! Written by hand rather than with a plotting crate: the colours are CSS variables of the page, so that they follow its
//! light and dark themes, and two curves with axes need little code.

use std::fmt::Write;

use crate::pairing_summary::{PairingSummary, TrailPoint};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 14.0;
const BOTTOM: f64 = 40.0;

/// Elo values are clamped to this, so that outliers do not flatten the curve.
const FURTHEST_ELO: f64 = 800.0;

/// The interval of Elo over the pairs played; `None` before there are two points.
pub(super) fn elo(pairing: &PairingSummary) -> Option<String> {
    let trail = &pairing.trail;
    let later = &trail[trail.len() / 4..];
    let ends = later.iter().flat_map(|point| point.elo).flatten().map(|elo| elo.clamp(-FURTHEST_ELO, FURTHEST_ELO));
    let mut frame = Frame::new(trail, ends.chain([0.0, 20.0, -20.0]))?;
    frame.rule(0.0, "zero");
    // If a bound is missing, the band extends to the edge of the plot.
    let upper: Vec<_> = trail.iter().map(|p| (p.pairs, p.elo[2].unwrap_or(frame.top))).collect();
    let lower = trail.iter().rev().map(|p| (p.pairs, p.elo[0].unwrap_or(frame.bottom)));
    let band: Vec<_> = upper.into_iter().chain(lower).collect();
    frame.shape("polygon", "band", &band);
    let mid: Vec<_> = trail.iter().filter_map(|p| Some((p.pairs, p.elo[1]?))).collect();
    frame.shape("polyline", "line", &mid);
    Some(frame.finish("Elo", "Elo with 95 % interval over the number of pairs"))
}

/// The path of the sequential test between its bounds; `None` without a test or before there are two points.
pub(super) fn llr(pairing: &PairingSummary) -> Option<String> {
    let test = pairing.sprt.as_ref()?;
    let path: Vec<(u64, f64)> = pairing.trail.iter().filter_map(|p| Some((p.pairs, p.llr?))).collect();
    let mut frame = Frame::new(&pairing.trail, path.iter().map(|&(_, llr)| llr).chain([test.lower, test.upper]))?;
    frame.rule(0.0, "zero");
    for (bound, name, elo, below) in [(test.upper, "H1", test.elo1, 14.0), (test.lower, "H0", test.elo0, -6.0)] {
        frame.rule(bound, "bound");
        let (x, y) = (LEFT + 8.0, frame.y(bound) + below);
        frame.push(format_args!(r#"<text x="{x}" y="{y:.1}">{name}: {elo} nElo</text>"#));
    }
    frame.shape("polyline", "line", &path);
    Some(frame.finish("LLR", "Log-likelihood ratio of the sequential test"))
}

/// The axes and the curves.
struct Frame {
    pairs: f64,
    bottom: f64,
    top: f64,
    svg: String,
}

impl Frame {
    fn new(trail: &[TrailPoint], ends: impl Iterator<Item = f64>) -> Option<Frame> {
        let pairs = trail.last().filter(|_| trail.len() > 1)?.pairs as f64;
        let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
        let room = 0.08 * (high - low);
        let mut frame = Frame { pairs, bottom: low - room, top: high + room, svg: String::new() };
        frame.axes();
        Some(frame)
    }

    fn x(&self, pairs: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * pairs / self.pairs
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value.clamp(self.bottom, self.top) - self.bottom) / (self.top - self.bottom);
        HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * share
    }

    fn push(&mut self, element: std::fmt::Arguments<'_>) {
        self.svg.write_fmt(element).expect("writing to a string cannot fail");
        self.svg.push('\n');
    }

    fn axes(&mut self) {
        let step = round_step((self.top - self.bottom) / 5.0);
        let mut value = (self.bottom / step).ceil() * step;
        while value <= self.top {
            let y = self.y(value);
            let label = if step < 1.0 { format!("{:.1}", value + 0.0) } else { format!("{:.0}", value + 0.0) };
            self.push(format_args!(
                r#"<line class="grid" x1="{LEFT}" x2="{:.1}" y1="{y:.1}" y2="{y:.1}"/>"#,
                WIDTH - RIGHT
            ));
            self.push(format_args!(
                r#"<text x="{:.1}" y="{:.1}" text-anchor="end">{label}</text>"#,
                LEFT - 8.0,
                y + 4.0
            ));
            // Rounds away errors that would print as -0.
            value = ((value + step) / step).round() * step;
        }
        let step = round_step(self.pairs / 6.0).max(1.0);
        for i in 0..=(self.pairs / step) as u64 {
            let (x, y) = (self.x(i as f64 * step), HEIGHT - BOTTOM + 18.0);
            self.push(format_args!(
                r#"<text x="{x:.1}" y="{y:.1}" text-anchor="middle">{:.0}</text>"#,
                i as f64 * step
            ));
        }
    }

    fn rule(&mut self, value: f64, class: &str) {
        let y = self.y(value);
        self.push(format_args!(
            r#"<line class="{class}" x1="{LEFT}" x2="{:.1}" y1="{y:.1}" y2="{y:.1}"/>"#,
            WIDTH - RIGHT
        ));
    }

    fn shape(&mut self, element: &str, class: &str, points: &[(u64, f64)]) {
        let points = points.iter().map(|&(pairs, y)| format!("{:.1},{:.1}", self.x(pairs as f64), self.y(y)));
        let points: Vec<String> = points.collect();
        self.push(format_args!(r#"<{element} class="{class}" points="{}"/>"#, points.join(" ")));
    }

    fn finish(mut self, label: &str, title: &str) -> String {
        let (x, y) = ((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 4.0);
        self.push(format_args!(r#"<text x="{x}" y="{y}" text-anchor="middle">pairs</text>"#));
        let y = (HEIGHT - BOTTOM + TOP) / 2.0;
        self.push(format_args!(
            r#"<text x="14" y="{y}" text-anchor="middle" transform="rotate(-90 14 {y})">{label}</text>"#
        ));
        format!(
            "<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n{}</svg>\n",
            self.svg
        )
    }
}

/// The next larger of 1, 2 and 5 times a power of ten.
pub(super) fn round_step(least: f64) -> f64 {
    let power = 10f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|k| k * power).find(|&step| step >= least).unwrap_or(10.0 * power)
}
