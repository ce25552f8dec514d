//! The course of a game: the value of every position, as a curve with the marked moves; for a page, and as a separate picture.

use std::fmt::Write as _;

use banyan_catalog::escape;
use banyan_catalog::view::side_word;
use banyan_core::Side;
use banyan_texts::Language;

use crate::reasons::side_names;
use crate::view::{Mark, Review, ReviewUnit, ReviewedMove, Valuation};

/// The least range of the curve in points, so that small losses stay small.
const LEAST_POINTS: f64 = 4.0;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
/// Around the curve: left and right, above, below.
const MARGINS: [f64; 3] = [24.0, 66.0, 40.0];
/// The most numbers of moves below the curve.
const MOST_TICKS: usize = 12;

/// Every rule is of these pictures only. Colours of a palette for all forms of colour blindness (Okabe and Ito 2008).
const STYLE: &str = "\
.game-curve text{font:12px system-ui,sans-serif;fill:#444}.game-curve .title{font-size:15px;font-weight:bold;fill:#222}\
.game-curve .ground{fill:#fff}.game-curve .even{stroke:#888;stroke-dasharray:4 4}.game-curve .tick{text-anchor:middle}\
.game-curve .area{fill:#0072b2;fill-opacity:.16}.game-curve .trace{fill:none;stroke:#0072b2;stroke-width:2}\
.game-curve .marked{font-weight:bold;text-anchor:middle}.game-curve .inaccuracy{fill:#8a6d00}\
.game-curve .mistake{fill:#b4530a}.game-curve .blunder{fill:#b3261e}";

/// The value of each position for the first side.
pub(crate) struct Course {
    /// Plies played, and the height of the value in percent from the top.
    pub(crate) heights: Vec<(usize, f64)>,
    /// The meaning of the top and of the bottom.
    pub(crate) ends: [String; 2],
}

impl Course {
    pub(crate) fn of(review: &Review, language: Language) -> Course {
        let seen_by_first = |mv: &ReviewedMove, valuation: &Valuation| {
            let sign = if mv.to_move == side_word(Side::First) { 1.0 } else { -1.0 };
            sign * match review.unit {
                ReviewUnit::Points => valuation.margin.unwrap_or(0.0),
                ReviewUnit::Percent => valuation.value,
            }
        };
        let mut values: Vec<(usize, f64)> =
            review.moves.iter().map(|mv| (mv.ply - 1, seen_by_first(mv, &mv.before))).collect();
        values.extend(review.moves.last().map(|mv| (mv.ply, seen_by_first(mv, &mv.after))));
        let most = match review.unit {
            ReviewUnit::Points => values.iter().fold(LEAST_POINTS, |most, (_, value)| most.max(value.abs())).ceil(),
            ReviewUnit::Percent => 1.0,
        };
        // Some room for the marks at both ends.
        let height = |value: f64| 50.0 - 46.0 * value / most;
        let ends = Side::BOTH.map(|side| {
            let side = language.side(&review.sides[side.index()]);
            match review.unit {
                ReviewUnit::Points => format!("{side} +{most:.0}"),
                ReviewUnit::Percent => language.say("review.wins", &[("side", &side)]),
            }
        });
        Course { heights: values.into_iter().map(|(ply, value)| (ply, height(value))).collect(), ends }
    }

    /// The height after a ply.
    pub(crate) fn height(&self, ply: usize) -> f64 {
        self.heights.iter().find(|(at, _)| *at == ply).map_or(50.0, |height| height.1)
    }
}

/// The class of a mark.
pub(crate) fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Inaccuracy => "inaccuracy",
        Mark::Mistake => "mistake",
        Mark::Blunder => "blunder",
    }
}

/// The course of a game as an SVG document in a language.
pub fn curve_picture(review: &Review, language: Language) -> String {
    let course = Course::of(review, language);
    let [side, above, below] = MARGINS;
    let (right, bottom) = (WIDTH - side, HEIGHT - below);
    let x = |ply: usize| side + (right - side) * ply as f64 / review.plies.max(1) as f64;
    let y = |height: f64| above + (bottom - above) * height / 100.0;
    let points: String =
        course.heights.iter().map(|&(ply, height)| format!("{:.1},{:.1} ", x(ply), y(height))).collect();
    let from_to = [course.heights.first(), course.heights.last()].map(|end| x(end.map_or(0, |end| end.0)));
    let sides = side_names(review, language);
    let [first, second] = review.players.as_ref().unwrap_or(&sides);
    let title = format!("{}: {first} - {second}", review.game);
    let about = language.say("review.valued-by", &[("player", &review.reviewer), ("budget", &review.budget)]);
    let mut out = format!(
        "<svg class=\"game-curve\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
         height=\"{HEIGHT}\" role=\"img\">\n<title>{0}</title>\n<style>{STYLE}</style>\n\
         <rect class=\"ground\" width=\"{WIDTH}\" height=\"{HEIGHT}\"/>\n\
         <text class=\"title\" x=\"{side}\" y=\"22\">{0}</text>\n<text x=\"{side}\" y=\"40\">{1}</text>\n",
        escape(&title),
        escape(&about)
    );
    let even = y(50.0);
    let _ = write!(
        out,
        "<path class=\"even\" d=\"M{side} {even}H{right}\"/>\n\
         <polygon class=\"area\" points=\"{:.1},{even} {points}{:.1},{even}\"/>\n\
         <polyline class=\"trace\" points=\"{}\"/>\n<text x=\"{side}\" y=\"{}\">{}</text>\n<text x=\"{side}\" y=\"{}\">{}</text>\n",
        from_to[0],
        from_to[1],
        points.trim_end(),
        above - 6.0,
        escape(&course.ends[0]),
        bottom + 14.0,
        escape(&course.ends[1]),
    );
    for mv in &review.moves {
        let Some(mark) = mv.mark else { continue };
        let (glyph, height) = (mark.glyph(), course.height(mv.ply));
        // Outside, where the curve seldom is.
        let at = y(height) + if height < 50.0 { -8.0 } else { 18.0 };
        let _ = writeln!(
            out,
            "<circle class=\"{0}\" cx=\"{1:.1}\" cy=\"{2:.1}\" r=\"4\"/>\n\
             <text class=\"marked {0}\" x=\"{1:.1}\" y=\"{at:.1}\">{glyph}</text>",
            class(mark),
            x(mv.ply),
            y(height)
        );
    }
    let step = [1, 2, 5, 10, 20, 50, 100].into_iter().find(|step| review.plies / step < MOST_TICKS).unwrap_or(200);
    for ply in (0..=review.plies).step_by(step).skip(1) {
        let _ = writeln!(out, "<text class=\"tick\" x=\"{:.1}\" y=\"{}\">{ply}</text>", x(ply), HEIGHT - 8.0);
    }
    out + "</svg>\n"
}
