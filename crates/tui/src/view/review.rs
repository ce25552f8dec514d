//! The review of the move that led to the position.

use banyan_review::ReviewUnit;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use super::moves::mark_colour;
use crate::app::App;
use crate::canvas::Canvas;

/// Percent of the expected result from which a loss is shown.
const LEAST_PERCENT: f64 = 0.5;
/// Moves of the better line.
const LINE: usize = 10;

/// Draws the panel, or the progress of a review.
pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, area: Rect) {
    if area.height == 0 {
        return;
    }
    let words = &app.words;
    let progress = app.progress.map(|[done, of]| format!(" {done}/{of}")).unwrap_or_default();
    let mut inside = canvas.panel(area, &(words.text("review.title") + &progress), false);
    let Some((mv, unit)) = app.game.review_of(app.game.cursor()) else {
        canvas.wrapped(inside, &words.text("review.waiting"), app.look.faint());
        return;
    };
    let unit_text = if unit == ReviewUnit::Percent { "%".to_owned() } else { words.text("review.points") };
    let loss = format!("{:.1}", mv.loss).replace(".0", "");
    let loses = mv.loss >= 0.05;
    let mut text = match (loses, mv.exact) {
        (true, true) => words.say("review.loses-exactly", &[("loss", &loss), ("unit", &unit_text)]),
        (true, false) => words.say("review.loses", &[("loss", &loss), ("unit", &unit_text)]),
        (false, true) => words.text("review.fine-exactly"),
        (false, false) => words.text("review.fine"),
    };
    let loses_result = unit == ReviewUnit::Points && mv.loss_percent >= LEAST_PERCENT;
    if loses_result {
        let percent = format!("{:.0}", mv.loss_percent);
        text += &format!(", {}", words.say("review.loses-percent", &[("percent", &percent)]));
    }
    let glyph = mv.mark.map_or("", |mark| mark.glyph());
    let style = if glyph.is_empty() { Style::new() } else { app.look.ink(mark_colour(glyph)) };
    let mut write = |text: &str, style: Style| {
        let used = canvas.wrapped(inside, text, style);
        inside.y += used;
        inside.height -= used;
    };
    write(&format!("{}. {}{glyph} {text}", mv.ply, mv.mv), style.add_modifier(Modifier::BOLD));
    if loses || loses_result {
        let line = mv.pv.iter().take(LINE).map(String::as_str).collect::<Vec<_>>().join(" ");
        write(&format!("{} {line}", words.text("review.better")), Style::new());
    }
    for reason in words.reasons(&words.sides(&app.game.spec), mv) {
        write(&format!("\u{b7} {reason}"), Style::new());
    }
}
