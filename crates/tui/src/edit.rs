//! A position that is set up: stones and edges are put and removed, cells are blocked.

use banyan_api::{CellView, EdgeView, PictureView};

use crate::action::{Direction, Place};
use crate::pointing::{edge_at, edge_centre};

/// The thing that is put on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Side(u8),
    Empty,
    /// A blocked cell.
    Hole,
}

/// A position that is set up.
pub(crate) struct Edit {
    pub(crate) picture: PictureView,
    pub(crate) tool: Tool,
    /// The side to move; `None` for the one for which the position is valid.
    pub(crate) to_move: Option<u8>,
    /// Whether cells may be blocked.
    has_holes: bool,
    /// The place of the cursor, in half cells from the top left.
    at: (usize, usize),
    pub(crate) error: Option<String>,
}

impl Edit {
    pub(crate) fn new(mut picture: PictureView, has_holes: bool) -> Edit {
        for cell in &mut picture.cells {
            (cell.last, cell.win, cell.legal) = (0, 0, 0);
        }
        picture.edges.iter_mut().flatten().for_each(|edge| edge.last = 0);
        Edit { picture, tool: Tool::Side(0), to_move: None, has_holes, at: (1, 1), error: None }
    }

    /// The place of the cursor.
    pub(crate) fn place(&self) -> Place {
        let (x, y) = self.at;
        match edge_at(&self.picture, x, y).filter(|_| self.picture.edges.is_some()) {
            Some(edge) => Place::Edge(edge),
            None => Place::Cell(y / 2 * self.picture.columns + x / 2),
        }
    }

    /// Moves the cursor, on a board of edges by half cells.
    pub(crate) fn point(&mut self, direction: Direction, mirrored: bool) {
        let (columns, rows) = (2 * self.picture.columns as i32, 2 * self.picture.rows as i32);
        let has_edges = self.picture.edges.is_some();
        let sideways = if mirrored { -1 } else { 1 };
        let (dx, dy) = match direction {
            Direction::Left => (-sideways, 0),
            Direction::Right => (sideways, 0),
            Direction::Up => (0, -1),
            Direction::Down => (0, 1),
        };
        let (mut x, mut y) = (self.at.0 as i32, self.at.1 as i32);
        let inside = |x: i32, y: i32| match has_edges {
            true => (0..=columns).contains(&x) && (0..=rows).contains(&y),
            false => (0..columns).contains(&x) && (0..rows).contains(&y),
        };
        let steps = if has_edges { 1 } else { 2 };
        (x, y) = (x + dx * steps, y + dy * steps);
        if has_edges && x % 2 == 0 && y % 2 == 0 {
            // Over a dot to the next edge.
            (x, y) = (x + dx, y + dy);
        }
        if inside(x, y) {
            self.at = (x as usize, y as usize);
        }
    }

    /// Puts the tool at the cursor, or removes what is there.
    pub(crate) fn put(&mut self) {
        self.error = None;
        match self.place() {
            Place::Edge(edge) => {
                if let Some(EdgeView { drawn, .. }) = self.picture.edges.as_mut().and_then(|edges| edges.get_mut(edge))
                {
                    *drawn = 1 - *drawn;
                }
            }
            Place::Cell(cell) => {
                let CellView { o, hole, .. } = &mut self.picture.cells[cell];
                match self.tool {
                    Tool::Hole => (*o, *hole) = (None, 1 - *hole),
                    Tool::Side(side) if *hole == 0 && *o != Some(side) => *o = Some(side),
                    _ => *o = None,
                }
            }
        }
    }

    /// Moves the cursor to a place, and puts the tool there.
    pub(crate) fn put_at(&mut self, place: Place) {
        self.at = match place {
            Place::Cell(cell) => (2 * (cell % self.picture.columns) + 1, 2 * (cell / self.picture.columns) + 1),
            Place::Edge(edge) => edge_centre(&self.picture, edge),
        };
        self.put();
    }

    pub(crate) fn next_tool(&mut self) {
        self.tool = match self.tool {
            Tool::Side(0) => Tool::Side(1),
            Tool::Side(_) => Tool::Empty,
            Tool::Empty if self.has_holes => Tool::Hole,
            Tool::Empty | Tool::Hole => Tool::Side(0),
        };
    }

    pub(crate) fn next_to_move(&mut self) {
        self.to_move = match self.to_move {
            None => Some(0),
            Some(0) => Some(1),
            Some(_) => None,
        };
    }

    pub(crate) fn clear(&mut self) {
        self.picture.cells.iter_mut().for_each(|cell| cell.o = None);
        self.picture.edges.iter_mut().flatten().for_each(|edge| edge.drawn = 0);
    }
}

/// The board in the notation of requests: rows from the top; on a board of edges, the edges and the number of boxes of each side.
pub(crate) fn cells_text(picture: &PictureView) -> String {
    let PictureView { rows, columns, cells, edges, .. } = picture;
    let in_rows = |letters: &[char], width: usize| {
        letters.chunks(width).map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
    };
    let letter = |cell: &CellView| match (cell.hole, cell.o) {
        (1, _) => '#',
        (_, None) => '.',
        (_, Some(0)) => 'X',
        (_, Some(_)) => 'O',
    };
    let Some(edges) = edges else {
        return in_rows(&cells.iter().map(letter).collect::<Vec<_>>(), *columns);
    };
    let bits: Vec<char> = edges.iter().map(|edge| if edge.drawn == 1 { '1' } else { '0' }).collect();
    let (across, down) = bits.split_at((rows + 1) * columns);
    let [first, second] = [0, 1].map(|side| cells.iter().filter(|cell| cell.o == Some(side)).count());
    format!("{}/{} {first}-{second}", in_rows(across, *columns), in_rows(down, columns + 1))
}
