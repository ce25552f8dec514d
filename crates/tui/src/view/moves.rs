//! The moves of the line, and the variations at the cursor.

use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use crate::action::Action;
use crate::app::App;
use crate::canvas::{Canvas, width};
use crate::game::NodeId;
use crate::hits::Hits;
use crate::look::{Rgb, rgb};

/// A move in the list.
struct Item {
    node: NodeId,
    text: String,
    style: Style,
}

/// Draws the panel.
pub(super) fn draw(canvas: &mut Canvas<'_>, hits: &mut Hits, app: &App, area: Rect, is_focused: bool) {
    let tree = &app.game.tree;
    let mut inside = canvas.panel(area, &app.words.text("moves.title"), is_focused);
    let children = tree.children(app.game.cursor());
    if children.len() > 1 && inside.height > 1 {
        inside.height -= 1;
        let label = app.words.text("tui.variations");
        let mut x = inside.x + canvas.text(inside.x, inside.bottom(), inside.width, &label, app.look.faint()) + 1;
        for &child in children {
            let used = canvas.text(
                x,
                inside.bottom(),
                inside.right().saturating_sub(x),
                tree.mv(child),
                app.look.ink(rgb::ACCENT),
            );
            hits.add(Rect { x, y: inside.bottom(), width: used, height: 1 }, Action::GoTo(child));
            x += used + 1;
        }
    }
    let line = app.game.line();
    let items: Vec<Item> = line.iter().enumerate().skip(1).map(|(ply, &node)| item(app, ply, node)).collect();
    if items.is_empty() {
        canvas.wrapped(inside, &app.words.text("tui.no-moves"), app.look.faint());
        return;
    }
    let rows = rows(&items, inside.width);
    let cursor = rows.iter().position(|row| row.iter().any(|(_, item)| item.node == app.game.cursor())).unwrap_or(0);
    // The row of the cursor is the last one that is shown, if not all fit.
    let first = (cursor + 1).saturating_sub(inside.height.into());
    for (row, y) in rows[first..].iter().zip(inside.y..inside.bottom()) {
        for (x, item) in row {
            let used = canvas.text(inside.x + x, y, inside.width.saturating_sub(*x), &item.text, item.style);
            hits.add(Rect { x: inside.x + x, y, width: used, height: 1 }, Action::GoTo(item.node));
        }
    }
}

fn item(app: &App, ply: usize, node: NodeId) -> Item {
    let mark = app.game.review_of(node).and_then(|(mv, _)| mv.mark);
    let mut style = mark.map_or(Style::new(), |mark| app.look.ink(mark_colour(mark.glyph())));
    let is_variation =
        app.game.tree.parent(node).is_some_and(|parent| app.game.tree.children(parent).first() != Some(&node));
    if is_variation {
        style = style.add_modifier(Modifier::ITALIC);
    }
    if node == app.game.cursor() {
        style = app.look.pointed();
    }
    Item { node, text: format!("{ply}.{}{}", app.game.tree.mv(node), mark.map_or("", |mark| mark.glyph())), style }
}

/// The colour of a mark.
pub(super) fn mark_colour(glyph: &str) -> Rgb {
    match glyph {
        "?!" => rgb::CLOSE,
        "?" => rgb::BEHIND,
        _ => rgb::FAR,
    }
}

/// The items in rows, with their columns.
fn rows(items: &[Item], most: u16) -> Vec<Vec<(u16, &Item)>> {
    let mut rows: Vec<Vec<(u16, &Item)>> = vec![Vec::new()];
    let mut x = 0;
    for item in items {
        let n = width(&item.text);
        if x + n > most && x > 0 {
            rows.push(Vec::new());
            x = 0;
        }
        if let Some(row) = rows.last_mut() {
            row.push((x, item));
        }
        x += n + 1;
    }
    rows
}
