//! The screen: what is drawn where, and what a click there does.

mod analysis;
mod bars;
mod board;
mod curve;
mod editor;
mod form;
mod grid;
mod keys;
mod marks;
mod matches;
mod moves;
mod review;

use ratatui_core::buffer::Buffer;
use ratatui_core::layout::Rect;

use crate::app::{App, Layer};
use crate::canvas::{Canvas, width};
use crate::hits::Hits;
use crate::keys::Mode;
use board::Pieces;
use grid::Grid;

/// Columns of the panels, at least.
const PANELS: u16 = 28;
/// Rows above and below the board: the title, the remark and the keys.
const BARS: u16 = 3;
/// The size below which not even a small board has panels that can be read.
const LEAST: (u16, u16) = (64, 20);

/// The smallest size of a terminal for the game of the program.
pub(crate) fn least_size(app: &App) -> (u16, u16) {
    let (columns, rows) = app.game.state().picture.as_ref().map_or((0, 0), grid::least);
    (LEAST.0.max(columns + 1 + PANELS), LEAST.1.max(rows + BARS))
}

/// Draws the program, and returns the places of the mouse.
pub(crate) fn draw(app: &App, buffer: &mut Buffer) -> Hits {
    let mut hits = Hits::default();
    let area = buffer.area;
    let canvas = &mut Canvas { buffer, look: app.look };
    let (columns, rows) = least_size(app);
    if area.width < columns || area.height < rows {
        let found = format!("{}x{}", area.width, area.height);
        let expected = format!("{columns}x{rows}");
        let text = app.words.say("tui.too-small", &[("found", &found), ("expected", &expected)]);
        canvas.wrapped(area, &text, ratatui_core::style::Style::new());
        return hits;
    }
    let middle = Rect { y: area.y + 1, height: area.height - BARS, ..area };
    bars::title(canvas, app, Rect { height: 1, ..area });
    let (board, panels) = halves(app, middle);
    match &app.layer {
        Layer::Edit(edit) => {
            editor::draw(canvas, &mut hits, app, edit, board);
            editor::panel(canvas, app, edit, panels);
        }
        _ => {
            game_board(canvas, &mut hits, app, board);
            if app.is_watching() {
                matches::draw(canvas, &mut hits, app, panels);
            } else {
                game_panels(canvas, &mut hits, app, panels);
            }
        }
    }
    bars::remark(canvas, app, Rect { y: area.bottom() - 2, height: 1, ..area });
    bars::keys(canvas, &mut hits, app, Rect { y: area.bottom() - 1, height: 1, ..area });
    match &app.layer {
        Layer::Form(form) => form::draw(canvas, app, form, middle),
        Layer::Keys => keys::draw(canvas, app, middle),
        _ => {}
    }
    hits
}

/// The areas of the board and of the panels.
fn halves(app: &App, area: Rect) -> (Rect, Rect) {
    let Some(picture) = &app.game.state().picture else {
        let width = area.width / 2;
        return (Rect { width, ..area }, Rect { x: area.x + width + 1, width: area.width - width - 1, ..area });
    };
    let preferred = (area.width * 2 / 5).clamp(PANELS, 90);
    let (least, _) = grid::least(picture);
    let panels = if least + 1 + preferred <= area.width { preferred } else { PANELS };
    let board = Rect { width: area.width - panels - 1, ..area };
    let width = Grid::fit(picture, board, app.mirrored).width();
    let board = Rect { width, ..area };
    (board, Rect { x: area.x + width + 1, width: area.width - width - 1, ..area })
}

/// The style of the pieces of the game.
fn pieces(app: &App) -> Pieces {
    let state = app.game.state();
    match state.picture.as_ref().is_some_and(|picture| picture.edges.is_some()) {
        true => Pieces::Boxes,
        false => Pieces::of(app.words.game(&state.game).map_or("stones", |game| game.style)),
    }
}

fn game_board(canvas: &mut Canvas<'_>, hits: &mut Hits, app: &App, area: Rect) {
    let state = app.game.state();
    let Some(picture) = &state.picture else {
        canvas.wrapped(area, &state.position, ratatui_core::style::Style::new());
        return;
    };
    let grid = Grid::fit(picture, area, app.mirrored);
    let marks = marks::of_game(app, picture);
    board::draw(canvas, grid, picture, pieces(app), &marks);
    marks::hits(hits, app, grid, picture);
}

fn game_panels(canvas: &mut Canvas<'_>, hits: &mut Hits, app: &App, area: Rect) {
    let is_reviewed = app.game.review_of(app.game.cursor()).is_some() || app.progress.is_some();
    let review = if is_reviewed { (area.height / 3).clamp(5, 14) } else { 0 };
    let curve = 1 + (area.height / 7).clamp(2, 8);
    let moves = 1 + (area.height / 8).clamp(2, 10);
    let analysis = area.height - review - curve - moves;
    let mut y = area.y;
    let mut next = |height: u16| {
        let part = Rect { y, height, ..area };
        y += height;
        part
    };
    analysis::draw(canvas, hits, app, next(analysis));
    review::draw(canvas, app, next(review));
    curve::draw(canvas, hits, app, next(curve));
    moves::draw(canvas, hits, app, next(moves), app.mode_below() == Mode::Moves);
}

/// The columns of the widest text.
fn widest<'t>(texts: impl Iterator<Item = &'t str>) -> u16 {
    texts.map(width).max().unwrap_or(0)
}
