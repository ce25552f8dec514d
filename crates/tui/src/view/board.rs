//! The board: frame, stones, edges, and what is written on it.

use banyan_api::PictureView;
use ratatui_core::layout::Rect;
use ratatui_core::style::{Modifier, Style};

use super::grid::Grid;
use crate::action::Place;
use crate::canvas::Canvas;
use crate::look::{Look, Rgb, rgb};
use crate::pointing::Ghost;

/// The look of the pieces of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pieces {
    /// Stones in slots.
    Drop,
    /// Black and white discs.
    Discs,
    /// Boxes between dots.
    Boxes,
    /// Stones on squares.
    Stones,
}

impl Pieces {
    pub(super) fn of(style: &str) -> Pieces {
        match style {
            "drop" => Pieces::Drop,
            "discs" => Pieces::Discs,
            "boxes" => Pieces::Boxes,
            _ => Pieces::Stones,
        }
    }

    fn colours(self) -> [Rgb; 2] {
        if self == Pieces::Discs { rgb::DISCS } else { rgb::SIDES }
    }

    fn ground(self) -> Rgb {
        match self {
            Pieces::Drop => rgb::DROP_FRAME,
            Pieces::Discs => rgb::FELT,
            Pieces::Stones | Pieces::Boxes => rgb::SQUARE,
        }
    }
}

/// A text on the board.
pub(super) struct Label {
    pub(super) place: Place,
    pub(super) text: String,
    pub(super) style: Style,
}

/// The marks besides the picture.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) cursor: Option<Place>,
    pub(super) hint: Option<Ghost>,
    /// Cells that the move at the cursor changes, and their new owner.
    pub(super) changes: Vec<(usize, u8)>,
    pub(super) labels: Vec<Label>,
    /// The side that made the last move.
    pub(super) last_side: Option<u8>,
    /// Whether letters name the columns.
    pub(super) has_letters: bool,
}

/// Draws a board.
pub(super) fn draw(canvas: &mut Canvas<'_>, grid: Grid, picture: &PictureView, pieces: Pieces, marks: &Marks) {
    let mut painter = Painter { look: canvas.look, canvas, grid, picture, pieces, marks };
    painter.labels_of_the_border();
    for cell in 0..picture.cells.len() {
        painter.cell(cell);
    }
    if picture.edges.is_some() {
        painter.edges();
    }
    for &(cell, owner) in &marks.changes {
        painter.change(cell, owner);
    }
    for label in &marks.labels {
        painter.label(label);
    }
}

struct Painter<'a, 'b> {
    canvas: &'a mut Canvas<'b>,
    look: Look,
    grid: Grid,
    picture: &'a PictureView,
    pieces: Pieces,
    marks: &'a Marks,
}

impl Painter<'_, '_> {
    fn labels_of_the_border(&mut self) {
        let Grid { x, cell: (width, height), columns, has_edges, mirrored, .. } = self.grid;
        let faint = self.look.faint();
        let bottom = self.grid.bottom();
        let n_columns = columns + usize::from(has_edges);
        for i in 0..n_columns {
            let at = if mirrored { n_columns - 1 - i } else { i } as u16;
            let text = match (has_edges, self.marks.has_letters) {
                (true, _) => i.to_string(),
                (false, true) => char::from(b'a' + i as u8).to_string(),
                (false, false) => self.picture.column_labels[i].clone(),
            };
            if has_edges {
                self.canvas.text(x + at * width, bottom, 2, &text, faint);
            } else {
                self.canvas.centred(x + at * width, bottom, width, &text, faint);
            }
        }
        let n_rows = self.picture.rows + usize::from(has_edges);
        for row in 0..n_rows {
            let text = if has_edges { row.to_string() } else { self.picture.row_labels[row].clone() };
            let middle = if has_edges { 0 } else { height / 2 };
            self.canvas.right(x - 1, self.grid.y + row as u16 * height + middle, 2, &text, faint);
        }
    }

    fn is_at_cursor(&self, place: Place) -> bool {
        self.marks.cursor == Some(place)
    }

    fn cell(&mut self, cell: usize) {
        let area = self.grid.cell(cell);
        let view = &self.picture.cells[cell];
        let is_at_cursor = self.is_at_cursor(Place::Cell(cell));
        let hint = self.marks.hint.filter(|hint| hint.place == Place::Cell(cell));
        if self.pieces == Pieces::Boxes {
            return self.square_box(area, view.o, is_at_cursor);
        }
        let checkered = self.pieces == Pieces::Discs && (cell / self.grid.columns + cell % self.grid.columns) % 2 == 1;
        let ground = match (view.win, view.last) {
            (1, _) => rgb::WIN,
            (_, 1) => rgb::LAST,
            _ if checkered => rgb::FELT_LINE,
            _ => self.pieces.ground(),
        };
        let slot = if self.pieces == Pieces::Drop { Some(rgb::DROP_SLOT) } else { None };
        if !self.look.is_plain() {
            self.canvas.fill(area, self.look.on(ground, rgb::RING));
        }
        match (view.hole, view.o) {
            (1, _) => self.hole(area),
            (_, Some(side)) => self.stone(area, side, ground),
            (_, None) if area.height > 1 && !self.look.is_plain() && !self.look.ascii => {
                if let Some(slot) = slot {
                    self.disc(area, |_| Some(slot), ground);
                }
            }
            (_, None) => {
                let sign = if self.look.ascii { "." } else { "\u{b7}" };
                let style = if self.look.is_plain() { self.look.faint() } else { self.look.on(ground, rgb::EDGE_OPEN) };
                self.middle(area, sign, style);
            }
        }
        if self.look.is_plain() && (view.last == 1 || view.win == 1) {
            let signs = if view.win == 1 { ["*", "*"] } else { ["(", ")"] };
            self.brackets(area, signs, Style::new().add_modifier(Modifier::BOLD));
        }
        if let Some(hint) = hint {
            self.stone(area, hint.side, ground);
            self.brackets(area, ["<", ">"], self.look.pointed());
        }
        if is_at_cursor {
            self.brackets(area, ["[", "]"], self.look.pointed());
        }
    }

    /// A closed box with the shape of its owner; an open one stays empty.
    fn square_box(&mut self, area: Rect, owner: Option<u8>, is_at_cursor: bool) {
        if let Some(side) = owner {
            let [ground, ink] = [rgb::TINTS, rgb::SIDES].map(|colours| colours[usize::from(side)]);
            let style = self.look.on(ground, ink).add_modifier(Modifier::BOLD);
            if !self.look.is_plain() {
                self.canvas.fill(area, style);
            }
            let sign = self.sign(side);
            self.middle(area, sign, style);
        }
        if is_at_cursor {
            self.brackets(area, ["[", "]"], self.look.pointed());
        }
    }

    fn sign(&self, side: u8) -> &'static str {
        match (self.look.ascii, self.pieces, side) {
            (true, _, 0) => "X",
            (true, ..) => "O",
            (false, Pieces::Boxes, 0) => "\u{2573}",
            (false, _, 0) => "\u{25cf}",
            _ => "\u{25cb}",
        }
    }

    fn middle(&mut self, area: Rect, text: &str, style: Style) {
        self.canvas.centred(area.x, area.y + area.height / 2, area.width, text, style);
    }

    fn brackets(&mut self, area: Rect, [left, right]: [&str; 2], style: Style) {
        let y = area.y + area.height / 2;
        self.canvas.put(area.x, y, left, style);
        self.canvas.put(area.right() - 1, y, right, style);
    }

    fn hole(&mut self, area: Rect) {
        let sign = if self.look.ascii { "#" } else { "\u{2592}" };
        let style = self.look.ink(rgb::HOLE);
        for y in area.y..area.bottom() {
            for x in area.x..area.right() {
                self.canvas.put(x, y, sign, style);
            }
        }
    }

    /// A stone: filled for the first side, with a ring for the second; black or white discs are without rings.
    fn stone(&mut self, area: Rect, side: u8, ground: Rgb) {
        let colour = self.pieces.colours()[usize::from(side)];
        if area.height == 1 || self.look.is_plain() || self.look.ascii {
            let has_ring = self.pieces != Pieces::Discs || self.look.is_plain() || self.look.ascii;
            let sign = if has_ring { self.sign(side) } else { "\u{25cf}" };
            return self.middle(area, sign, self.look.on(ground, colour).add_modifier(Modifier::BOLD));
        }
        let is_small = area.height == 2;
        let has_ring = side == 1 && self.pieces != Pieces::Discs;
        let in_ring = move |part: f32| if is_small { part < 0.5 } else { (0.36..0.66).contains(&part) };
        self.disc(area, |part| Some(if has_ring && in_ring(part) { rgb::RING } else { colour }), ground);
    }

    /// A disc in pixels of half a character; `colour` depends on the share of the radius.
    fn disc(&mut self, area: Rect, colour: impl Fn(f32) -> Option<Rgb>, ground: Rgb) {
        // In a cell that is wider than high, a column on the right stays free.
        let width = area.width.min(2 * area.height);
        let (width, height) = (f32::from(width), f32::from(2 * area.height));
        let radius = width.min(height) / 2.0 * 0.95;
        let pixel = |x: u16, y: u16| {
            let (dx, dy) = (f32::from(x) + 0.5 - width / 2.0, f32::from(y) + 0.5 - height / 2.0);
            let part = dx.hypot(dy) / radius;
            if part <= 1.0 { colour(part) } else { None }
        };
        for y in 0..area.height {
            for x in 0..area.width {
                let [upper, lower] = [pixel(x, 2 * y), pixel(x, 2 * y + 1)].map(|colour| colour.unwrap_or(ground));
                let style = self.look.on(lower, upper);
                self.canvas.put(area.x + x, area.y + y, if upper == lower { " " } else { "\u{2580}" }, style);
            }
        }
    }

    fn edges(&mut self) {
        let (rows, columns) = (self.picture.rows as u16, self.grid.columns as u16);
        let (width, height) = self.grid.cell;
        let dot = if self.look.ascii { "+" } else { "\u{2022}" };
        for row in 0..=rows {
            for column in 0..=columns {
                self.canvas.put(self.grid.x + column * width, self.grid.y + row * height, dot, Style::new());
            }
        }
        for edge in 0..self.picture.edges.as_ref().map_or(0, Vec::len) {
            self.edge(edge);
        }
    }

    fn edge(&mut self, edge: usize) {
        let area = self.grid.edge(self.picture, edge);
        let Some(view) = self.picture.edges.as_ref().map(|edges| &edges[edge]) else { return };
        let is_at_cursor = self.is_at_cursor(Place::Edge(edge));
        let hint = self.marks.hint.filter(|hint| hint.place == Place::Edge(edge));
        let is_flat = area.height == 1 && area.width > 1;
        let weight = usize::from(view.drawn == 1) + usize::from(view.last == 1);
        let signs = match (self.look.ascii, is_flat) {
            (true, true) => [" ", "-", "="],
            (true, false) => [" ", "|", "#"],
            (false, true) => ["\u{2504}", "\u{2501}", "\u{2501}"],
            (false, false) => ["\u{250a}", "\u{2503}", "\u{2503}"],
        };
        let sign = match weight {
            0 if self.look.is_plain() => " ",
            _ if hint.is_some() || is_at_cursor => {
                if weight == 0 {
                    signs[1]
                } else {
                    signs[weight]
                }
            }
            _ => signs[weight],
        };
        let side = |side: u8| self.look.ink(rgb::SIDES[usize::from(side)]).add_modifier(Modifier::BOLD);
        let style = match (weight, self.marks.last_side) {
            _ if is_at_cursor => self.look.pointed(),
            _ if hint.is_some() => hint.map_or(Style::new(), |hint| side(hint.side)),
            (0, _) => self.look.ink(rgb::EDGE_OPEN).add_modifier(Modifier::DIM),
            (2, Some(last)) => side(last),
            (2, None) => Style::new().add_modifier(Modifier::BOLD),
            _ => Style::new(),
        };
        for y in area.y..area.bottom() {
            for x in area.x..area.right() {
                self.canvas.put(x, y, sign, style);
            }
        }
    }

    /// A cell that the move at the cursor changes.
    fn change(&mut self, cell: usize, owner: u8) {
        let area = self.grid.cell(cell);
        if self.is_at_cursor(Place::Cell(cell)) || self.look.is_plain() {
            return;
        }
        let sign = if self.look.ascii { "o" } else { "\u{2022}" };
        let y = area.y + area.height / 2;
        let x = area.x + (area.width - 1) / 2;
        let colour = self.look.colour(self.pieces.colours()[usize::from(owner)]);
        if let Some(cell) = self.canvas.buffer.cell_mut((x, y)) {
            let ground = if cell.symbol() == "\u{2580}" || cell.symbol() == " " {
                cell.bg
            } else {
                self.look.colour(self.pieces.ground())
            };
            cell.set_symbol(sign).set_style(Style::new().fg(colour).bg(ground));
        }
    }

    fn label(&mut self, label: &Label) {
        let area = self.grid.label(self.picture, label.place);
        let is_at_cursor = self.is_at_cursor(label.place);
        let text = fitting(&label.text, area.width);
        let style = match (is_at_cursor, label.place) {
            (true, _) => self.look.pointed(),
            (false, Place::Cell(_)) if !self.look.is_plain() && self.pieces != Pieces::Boxes => {
                let ground = if self.pieces == Pieces::Drop { rgb::DROP_SLOT } else { self.pieces.ground() };
                label.style.bg(self.look.colour(ground))
            }
            _ => label.style,
        };
        if self.look.is_plain() && is_at_cursor {
            self.canvas.fill(area, style);
        }
        // Without that of an edge below it.
        let style = style.remove_modifier(Modifier::DIM);
        self.canvas.centred(area.x, area.y, area.width, &text, style);
    }
}

/// A number that fits into few columns: without its doubt.
fn fitting(text: &str, most: u16) -> String {
    let mut text = text.to_owned();
    while text.chars().count() > usize::from(most) && text.ends_with(['?', '%']) {
        text.pop();
    }
    text.chars().take(most.into()).collect()
}
