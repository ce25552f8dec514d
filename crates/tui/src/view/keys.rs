//! The list of all keys.

use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use super::widest;
use crate::app::App;
use crate::canvas::{Canvas, width};
use crate::keys;
use crate::look::rgb;

/// Draws the keys of what lies below; those without an effect now are faint.
pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, area: Rect) {
    let list = keys::listed(app.mode_below(), |when| app.holds(when));
    let names: Vec<String> = list.iter().map(|one| app.look.text(&one.keys)).collect();
    let texts: Vec<String> = list.iter().map(|one| app.look.text(&app.words.text(one.label))).collect();
    let rows = usize::from(area.height - 2);
    let n_columns = list.len().div_ceil(rows).max(1) as u16;
    let key_width = widest(names.iter().map(String::as_str));
    let wanted = key_width + 2 + widest(texts.iter().map(String::as_str));
    let most = (area.width - 4 - 2 * (n_columns - 1)) / n_columns;
    let column = wanted.min(most);
    let rows = list.len().div_ceil(n_columns.into());
    let window_width = (n_columns * (column + 2) + 2).max(width(&app.words.text("keys.title")) + 6).min(area.width);
    let window = Rect {
        x: area.x + (area.width - window_width) / 2,
        y: area.y + (area.height - rows as u16 - 2) / 2,
        width: window_width,
        height: rows as u16 + 2,
    };
    let inside = canvas.window(window, &app.words.text("keys.title"));
    for (i, one) in list.iter().enumerate() {
        let x = inside.x + (i / rows) as u16 * (column + 2);
        let y = inside.y + (i % rows) as u16;
        let (key, text) = match one.is_on {
            true => (app.look.ink(rgb::ACCENT).add_modifier(Modifier::BOLD), Style::new()),
            false => (app.look.faint(), app.look.faint()),
        };
        canvas.text(x, y, key_width, &names[i], key);
        let most = column.saturating_sub(key_width + 2);
        let shown = if width(&texts[i]) <= most { &texts[i] } else { &app.words.text(keys::short(one.label)) };
        canvas.text(x + key_width + 2, y, most, shown, text);
    }
}
