//! A form above the game.

use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use super::widest;
use crate::app::App;
use crate::canvas::{Canvas, width, wrap};
use crate::form::{Form, Input};
use crate::look::rgb;

/// Columns of a form.
const WIDTH: u16 = 60;

pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, form: &Form, area: Rect) {
    let window_width = WIDTH.min(area.width);
    let error = form.error.clone().unwrap_or_default();
    let below = if error.is_empty() { &form.hint } else { &error };
    let n_below = wrap(&app.look.text(below), window_width - 4).len() as u16;
    let height = (form.fields.len() as u16 + 2 + n_below).min(area.height);
    let window = Rect {
        x: area.x + (area.width - window_width) / 2,
        y: area.y + (area.height - height) / 2,
        width: window_width,
        height,
    };
    let inside = canvas.window(window, &form.title);
    let labels = widest(form.fields.iter().map(|field| &*field.label)).min(inside.width / 2);
    for ((i, field), y) in form.fields.iter().enumerate().zip(inside.y..inside.bottom()) {
        let is_here = i == form.at;
        let label = if is_here { Style::new().add_modifier(Modifier::BOLD) } else { app.look.faint() };
        canvas.text(inside.x, y, labels, &field.label, label);
        let value = Rect { x: inside.x + labels + 1, y, width: inside.width - labels - 1, height: 1 };
        let style = if is_here { app.look.pointed() } else { app.look.ink(rgb::ACCENT) };
        match &field.input {
            Input::Text(text) => {
                // The end of a long text is what is typed.
                let mut end = text.as_str();
                while width(end) > value.width - 1 {
                    let mut rest = end.chars();
                    rest.next();
                    end = rest.as_str();
                }
                let used = canvas.text(value.x, y, value.width, end, Style::new());
                let cursor = if is_here { "_" } else { " " };
                canvas.text(value.x + used, y, value.width - used, cursor, style);
            }
            Input::Choice(..) => {
                let shown = if is_here { format!("< {} >", field.shown()) } else { field.shown().to_owned() };
                canvas.text(value.x, y, value.width, &shown, style);
            }
        }
    }
    let rest = Rect {
        y: inside.y + form.fields.len() as u16,
        height: inside.height.saturating_sub(form.fields.len() as u16),
        ..inside
    };
    let style = if error.is_empty() { app.look.faint() } else { app.look.ink(rgb::FAR) };
    canvas.wrapped(rest, below, style);
}
