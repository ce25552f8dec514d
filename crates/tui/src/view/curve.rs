//! The course of the game: the value of every position of the line.

use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use crate::action::Action;
use crate::app::App;
use crate::canvas::Canvas;
use crate::game::Value;
use crate::hits::Hits;
use crate::look::rgb;
use crate::words::signed;

/// Minimum range of margins, so that small ones look small.
const LEAST_MARGIN: f64 = 4.0;
/// Parts of a character, from the bottom.
const EIGHTHS: [&str; 9] =
    [" ", "\u{2581}", "\u{2582}", "\u{2583}", "\u{2584}", "\u{2585}", "\u{2586}", "\u{2587}", "\u{2588}"];

/// Draws the panel: the share of the first side as a bar for each position.
pub(super) fn draw(canvas: &mut Canvas<'_>, hits: &mut Hits, app: &App, area: Rect) {
    let words = &app.words;
    let sides = words.sides(&app.game.spec);
    let line = app.game.line();
    let values: Vec<Option<Value>> = line.iter().map(|&node| app.game.value_of(node)).collect();
    let counts = words.counts_margins(&app.game.spec);
    let margins: Option<Vec<f64>> = values.iter().flatten().map(|value| value.margin.filter(|_| counts)).collect();
    let most = margins.map(|margins| margins.iter().fold(LEAST_MARGIN, |most, margin| most.max(margin.abs())).ceil());
    let cursor = line.iter().position(|&node| node == app.game.cursor()).unwrap_or(0);
    let now = match values.get(cursor).copied().flatten() {
        None => words.text("curve.unknown"),
        Some(Value { margin: Some(margin), .. }) if most.is_some() => {
            format!("{} {}", sides[0], signed(margin, usize::from(margin.fract() != 0.0)))
        }
        Some(Value { value, .. }) => {
            let side = usize::from(value < 0.0);
            format!("{} {:.1} %", sides[side], 50.0 * (value.abs() + 1.0))
        }
    };
    let title = format!("{} \u{b7} {cursor}. {now}", words.text("curve.title"));
    let inside = canvas.panel(area, &title, false);
    let n = line.len();
    let width = usize::from(inside.width);
    for column in 0..width {
        // Each position has the same width, if there are no more of them than columns.
        let ply = column * n / width.max(1);
        let ply = if n <= width { (column / (width / n).max(1)).min(n) } else { ply };
        let Some(&node) = line.get(ply) else { break };
        let x = inside.x + column as u16;
        hits.add(Rect { x, width: 1, ..inside }, Action::GoTo(node));
        let share = values[ply].map(|value| match (most, value.margin) {
            (Some(most), Some(margin)) => (margin / most + 1.0) / 2.0,
            _ => (value.value + 1.0) / 2.0,
        });
        // With more positions than columns the cursor is in the column of its share.
        let is_cursor = if n <= width { ply == cursor } else { column == cursor * width / n };
        bar(canvas, app, Rect { x, width: 1, ..inside }, share, is_cursor);
    }
}

fn bar(canvas: &mut Canvas<'_>, app: &App, area: Rect, share: Option<f64>, is_cursor: bool) {
    let look = app.look;
    let height = f64::from(area.height);
    let level = share.map(|share| (share.clamp(0.0, 1.0) * height * 8.0).round() as u16);
    let even = area.height / 2;
    for row in 0..area.height {
        let y = area.bottom() - 1 - row;
        let part = level.map(|level| level.saturating_sub(8 * row).min(8));
        let mut style = look.ink(rgb::SIDES[0]);
        let sign = match part {
            None if row == even => {
                if look.ascii {
                    "-"
                } else {
                    "\u{2500}"
                }
            }
            None => " ",
            Some(part) if look.ascii => {
                if part >= 4 {
                    "#"
                } else {
                    "."
                }
            }
            Some(part) => EIGHTHS[usize::from(part)],
        };
        if part.is_none() {
            style = look.faint();
        } else if !look.is_plain() {
            let ground = if is_cursor { rgb::SIDES[1] } else { rgb::TINTS[1] };
            style = style.bg(look.colour(ground));
        }
        if is_cursor && look.is_plain() {
            style = Style::new().add_modifier(Modifier::REVERSED);
        }
        canvas.put(area.x, y, sign, style);
    }
}
