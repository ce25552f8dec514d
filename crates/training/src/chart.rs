//! The learning curve as a self-contained SVG picture.

use std::fmt::Write as _;

use banyan_catalog::escape;

use crate::epoch::{Epoch, Unit};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;

const STYLE: &str = ".ground{fill:#f6f4ee}.axis{stroke:#444}.grid{stroke:#ddd7c8}\
.training{fill:none;stroke:#0072b2;stroke-width:2;stroke-dasharray:6 4}.validation{fill:none;stroke:#d55e00;stroke-width:3}\
text{font:13px system-ui,sans-serif;fill:#444}.title{font-size:15px}.right{text-anchor:end}.middle{text-anchor:middle}";

/// Mean errors over the epochs: a solid line for validation positions, a dashed one for training positions.
pub(super) fn curve(epochs: &[Epoch], unit: Unit, title: &str) -> String {
    let values = || epochs.iter().flat_map(|epoch| [epoch.training, epoch.validation]);
    let (least, most) = (values().fold(f64::MAX, f64::min), values().fold(0.0, f64::max));
    // Makes a flat curve look flat.
    let spare = (unit.least_range() - (most - least)).max(0.1 * (most - least)) / 2.0;
    let (least, most) = ((least - spare).max(0.0), most + spare);
    let last = epochs.len().max(2) as f64;
    let x = |epoch: f64| LEFT + (epoch - 1.0) / (last - 1.0) * (WIDTH - LEFT - RIGHT);
    let y = |value: f64| HEIGHT - BOTTOM - (value - least) / (most - least) * (HEIGHT - TOP - BOTTOM);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         role=\"img\">\n<title>{0}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"10\"/>\n\
         <text class=\"title\" x=\"{LEFT}\" y=\"24\">{0}: {1}</text>\n",
        escape(title),
        unit.meaning()
    );
    let drawn = draw(&mut out, epochs, [least, most], x, y);
    drawn.expect("text can always be written to a string");
    out + "</svg>\n"
}

fn draw(
    out: &mut String,
    epochs: &[Epoch],
    [least, most]: [f64; 2],
    x: impl Fn(f64) -> f64,
    y: impl Fn(f64) -> f64,
) -> std::fmt::Result {
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    for part in 0..=4 {
        let value = least + (most - least) * f64::from(part) / 4.0;
        let at = y(value);
        writeln!(out, r#"<line class="grid" x1="{LEFT}" y1="{at:.1}" x2="{right}" y2="{at:.1}"/>"#)?;
        writeln!(out, r#"<text class="right" x="{}" y="{:.1}">{value:.2}</text>"#, LEFT - 8.0, at + 4.0)?;
    }
    writeln!(out, r#"<line class="axis" x1="{LEFT}" y1="{bottom}" x2="{right}" y2="{bottom}"/>"#)?;
    let step = epochs.len().div_ceil(10).max(1);
    for number in (1..=epochs.len()).step_by(step) {
        writeln!(out, r#"<text class="middle" x="{:.1}" y="{}">{number}</text>"#, x(number as f64), bottom + 18.0)?;
    }
    let middle = f64::midpoint(LEFT, right);
    writeln!(out, r#"<text class="middle" x="{middle}" y="{}">epochs</text>"#, HEIGHT - 12.0)?;
    let lines = [("validation", "validation"), ("training", "training")];
    for (i, (class, label)) in lines.into_iter().enumerate() {
        let value = |epoch: &Epoch| if i == 0 { epoch.validation } else { epoch.training };
        let points = epochs.iter().map(|epoch| format!("{:.1},{:.1}", x(epoch.number.into()), y(value(epoch))));
        writeln!(out, r#"<polyline class="{class}" points="{}"/>"#, points.collect::<Vec<_>>().join(" "))?;
        let at = TOP + 10.0 + 22.0 * i as f64;
        writeln!(out, r#"<polyline class="{class}" points="{},{at} {},{at}"/>"#, right + 10.0, right + 36.0)?;
        writeln!(out, r#"<text x="{}" y="{}">{label}</text>"#, right + 42.0, at + 4.0)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pass_is_a_point_within_the_frame() {
        let epochs: Vec<Epoch> =
            (1..=12).map(|number| Epoch { number, training: 4.0 / f64::from(number), validation: 4.5 }).collect();
        let svg = curve(&epochs, Unit::Points, "a<b");
        assert!(svg.contains("<title>a&lt;b</title>"), "{svg}");
        let line = svg.lines().find(|line| line.starts_with("<polyline class=\"training\"")).expect("a line");
        let points: Vec<(f64, f64)> = line
            .split('"')
            .nth(3)
            .expect("points")
            .split(' ')
            .map(|point| point.split_once(',').expect("two numbers"))
            .map(|(x, y)| (x.parse().expect("a number"), y.parse().expect("a number")))
            .collect();
        assert_eq!(points.len(), 12);
        for pair in points.windows(2) {
            assert!(pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1, "{pair:?}: to the right and down");
        }
        let inside = |&(x, y): &(f64, f64)| (LEFT..=WIDTH - RIGHT).contains(&x) && (TOP..=HEIGHT - BOTTOM).contains(&y);
        assert!(points.iter().all(inside), "{points:?}");
    }

    #[test]
    fn a_curve_of_one_point_is_drawn() {
        let svg = curve(&[Epoch { number: 1, training: 0.0, validation: 0.0 }], Unit::Nats, "");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
