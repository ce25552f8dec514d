//! Places of the parts of a board on the screen, at the largest scale that fits.

use banyan_api::PictureView;
use ratatui_core::layout::Rect;

use crate::action::Place;
use crate::pointing::edge_centre;

/// Columns left of the board, for the labels of its rows.
const LABELS: u16 = 3;
/// Cells of a board of squares, from the smallest.
const SQUARES: [(u16, u16); 9] = [(3, 1), (4, 2), (5, 2), (6, 3), (8, 4), (10, 5), (12, 6), (14, 7), (16, 8)];
/// Distances of dots, from the smallest.
const DOTS: [(u16, u16); 7] = [(4, 2), (6, 3), (8, 4), (10, 5), (12, 6), (14, 7), (16, 8)];

/// The places of a board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grid {
    /// The top left corner of the board, without labels.
    pub(super) x: u16,
    pub(super) y: u16,
    /// The width and the height of a cell; on a board of edges the distance of two dots.
    pub(super) cell: (u16, u16),
    rows: usize,
    pub(super) columns: usize,
    pub(super) has_edges: bool,
    pub(super) mirrored: bool,
}

/// The size of a board with its labels.
fn size(picture: &PictureView, cell: (u16, u16)) -> (u16, u16) {
    let dots = u16::from(picture.edges.is_some());
    (LABELS + picture.columns as u16 * cell.0 + dots, picture.rows as u16 * cell.1 + dots + 1)
}

/// The size of a board at the smallest scale.
pub(super) fn least(picture: &PictureView) -> (u16, u16) {
    size(picture, if picture.edges.is_some() { DOTS[0] } else { SQUARES[0] })
}

impl Grid {
    /// The board at the largest scale that fits into `width` and `height`, with its size.
    pub(super) fn fit(picture: &PictureView, area: Rect, mirrored: bool) -> Grid {
        let scales = if picture.edges.is_some() { &DOTS[..] } else { &SQUARES[..] };
        let fits = |cell: &&(u16, u16)| {
            let (width, height) = size(picture, **cell);
            width <= area.width && height <= area.height
        };
        let cell = *scales.iter().rfind(fits).unwrap_or(&scales[0]);
        let (_, height) = size(picture, cell);
        Grid {
            x: area.x + LABELS,
            y: area.y + area.height.saturating_sub(height) / 2,
            cell,
            rows: picture.rows,
            columns: picture.columns,
            has_edges: picture.edges.is_some(),
            mirrored,
        }
    }

    /// The width of the board with its labels.
    pub(super) fn width(self) -> u16 {
        LABELS + self.columns as u16 * self.cell.0 + u16::from(self.has_edges)
    }

    /// The row below the board.
    pub(super) fn bottom(self) -> u16 {
        self.y + self.rows as u16 * self.cell.1 + u16::from(self.has_edges)
    }

    /// The inside of a cell.
    pub(super) fn cell(self, cell: usize) -> Rect {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let column = if self.mirrored { self.columns - 1 - column } else { column };
        let dots = u16::from(self.has_edges);
        let (width, height) = self.cell;
        Rect {
            x: self.x + column as u16 * width + dots,
            y: self.y + row as u16 * height + dots,
            width: width - dots,
            height: height - dots,
        }
    }

    /// The line of an edge, without its dots.
    pub(super) fn edge(self, picture: &PictureView, edge: usize) -> Rect {
        let (x, y) = edge_centre(picture, edge);
        let x = if self.mirrored { 2 * self.columns - x } else { x };
        let (width, height) = self.cell;
        let (left, top) = (self.x + (x / 2) as u16 * width, self.y + (y / 2) as u16 * height);
        match y % 2 {
            0 => Rect { x: left + 1, y: top, width: width - 1, height: 1 },
            _ => Rect { x: left, y: top + 1, width: 1, height: height - 1 },
        }
    }

    /// The place of a text of at most three columns, or as many as a cell has, at a place of the board.
    pub(super) fn label(self, picture: &PictureView, place: Place) -> Rect {
        match place {
            Place::Cell(cell) => {
                let area = self.cell(cell);
                Rect { y: area.y + area.height / 2, height: 1, ..area }
            }
            Place::Edge(edge) => {
                let area = self.edge(picture, edge);
                match area.height {
                    1 if area.width > 1 => area,
                    height => Rect { x: area.x.saturating_sub(1), y: area.y + height / 2, width: 3, height: 1 },
                }
            }
        }
    }

    /// The cells of the screen that belong to a place, for the mouse.
    pub(super) fn area(self, picture: &PictureView, place: Place) -> Rect {
        match place {
            Place::Cell(cell) => self.cell(cell),
            Place::Edge(edge) => {
                let area = self.edge(picture, edge);
                if area.width > 1 { area } else { Rect { x: area.x.saturating_sub(1), width: 3, ..area } }
            }
        }
    }
}
