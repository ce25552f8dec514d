//! A position that is set up.

use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use super::board::{self, Marks};
use super::grid::Grid;
use super::pieces;
use crate::action::{Action, Place};
use crate::app::App;
use crate::canvas::Canvas;
use crate::edit::{Edit, Tool};
use crate::hits::Hits;

pub(super) fn draw(canvas: &mut Canvas<'_>, hits: &mut Hits, app: &App, edit: &Edit, area: Rect) {
    let picture = &edit.picture;
    let grid = Grid::fit(picture, area, app.mirrored);
    let marks = Marks { cursor: Some(edit.place()), has_letters: picture.edges.is_none(), ..Marks::default() };
    board::draw(canvas, grid, picture, pieces(app), &marks);
    let cells = (0..picture.cells.len()).map(Place::Cell);
    let edges = (0..picture.edges.as_ref().map_or(0, Vec::len)).map(Place::Edge);
    for place in cells.chain(edges) {
        hits.add(grid.area(picture, place), Action::PutAt(place));
    }
}

/// The thing that is put, and the side to move.
pub(super) fn panel(canvas: &mut Canvas<'_>, app: &App, edit: &Edit, area: Rect) {
    let words = &app.words;
    let sides = words.sides(&app.game.spec);
    let inside = canvas.panel(area, &words.text("edit.title"), true);
    let tool = match edit.tool {
        Tool::Side(side) => sides[usize::from(side)].clone(),
        Tool::Empty => words.text("edit.empty"),
        Tool::Hole => words.text("tui.hole"),
    };
    let to_move = edit.to_move.map_or(words.text("edit.automatic"), |side| sides[usize::from(side)].clone());
    let bold = Style::new().add_modifier(Modifier::BOLD);
    let rows = [(words.text("edit.tool"), tool), (words.text("edit.to-move"), to_move)];
    for ((label, value), y) in rows.iter().zip(inside.y..inside.bottom()) {
        let used = canvas.text(inside.x, y, inside.width, label, app.look.faint()) + 2;
        canvas.text(inside.x + used, y, inside.width.saturating_sub(used), value, bold);
    }
    let hint = if edit.picture.edges.is_some() { "tui.edit-edges" } else { "tui.edit-cells" };
    let rest = Rect { y: inside.y + 3, height: inside.height.saturating_sub(3), ..inside };
    canvas.wrapped(rest, &words.text(hint), app.look.faint());
}
