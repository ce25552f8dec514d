//! Moves by their places: which one lies in a direction from another, and where the moves of a line are.

use banyan_api::{At, LegalView, Offer, PictureView, Spot, StateView, state};

use crate::action::{Direction, Place};

/// A move of a line, on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ghost {
    pub(crate) place: Place,
    pub(crate) side: u8,
}

/// The centre of a place, in half cells from the top left.
fn centre(picture: &PictureView, place: Place) -> (i32, i32) {
    let (x, y) = match place {
        Place::Cell(cell) => (2 * (cell % picture.columns) + 1, 2 * (cell / picture.columns) + 1),
        Place::Edge(edge) => edge_centre(picture, edge),
    };
    (x as i32, y as i32)
}

/// The centre of an edge, in half cells from the top left.
pub(crate) fn edge_centre(picture: &PictureView, edge: usize) -> (usize, usize) {
    let across = (picture.rows + 1) * picture.columns;
    match edge.checked_sub(across) {
        None => (2 * (edge % picture.columns) + 1, 2 * (edge / picture.columns)),
        Some(down) => (2 * (down % (picture.columns + 1)), 2 * (down / (picture.columns + 1)) + 1),
    }
}

/// The edge with a centre, in half cells; `None` for a dot or a cell.
pub(crate) fn edge_at(picture: &PictureView, x: usize, y: usize) -> Option<usize> {
    match (x % 2, y % 2) {
        (1, 0) => Some(y / 2 * picture.columns + x / 2),
        (0, 1) => Some((picture.rows + 1) * picture.columns + y / 2 * (picture.columns + 1) + x / 2),
        _ => None,
    }
}

/// The place of a legal move: of a column, the cell into which the stone falls.
pub(crate) fn place_of(picture: &PictureView, legal: &LegalView) -> Option<Place> {
    match legal.at? {
        At::Cell([row, column]) => Some(Place::Cell(row * picture.columns + column)),
        At::Edge(edge) => Some(Place::Edge(edge)),
        At::Column(_) => {
            let &[row, column, _] = legal.after.cells.first()?;
            Some(Place::Cell(row * picture.columns + column))
        }
    }
}

/// The legal move that an arrow key leads to; the one in the middle if none was pointed at.
pub(crate) fn next(state: &StateView, from: Option<usize>, direction: Direction, mirrored: bool) -> Option<usize> {
    let picture = state.picture.as_ref()?;
    let width = 2 * picture.columns as i32;
    let at = |legal: &LegalView| {
        let (x, y) = centre(picture, place_of(picture, legal)?);
        Some(if mirrored { (width - x, y) } else { (x, y) })
    };
    let places: Vec<(usize, (i32, i32))> =
        state.legal.iter().enumerate().filter_map(|(i, legal)| Some((i, at(legal)?))).collect();
    let known = from.and_then(|from| places.iter().find(|(i, _)| *i == from));
    let Some(&(from, (x, y))) = known else {
        let (middle_x, middle_y) = (picture.columns as i32, picture.rows as i32);
        let nearest = places.iter().min_by_key(|(_, (x, y))| (x - middle_x).abs() + (y - middle_y).abs());
        return nearest.map(|(i, _)| *i);
    };
    let at = state.legal[from].at;
    // In columns the height does not matter; edges are nearest where they meet.
    let weight = match at {
        Some(At::Column(_)) => 0,
        Some(At::Edge(_)) => 1,
        _ => 2,
    };
    let is_flat = matches!(at, Some(At::Edge(_))) && y % 2 == 0;
    let cost = |&(i, (to_x, to_y)): &(usize, (i32, i32))| {
        let (dx, dy) = (to_x - x, to_y - y);
        let (along, aside) = match direction {
            Direction::Left => (-dx, dy),
            Direction::Right => (dx, dy),
            Direction::Up => (-dy, -dx),
            Direction::Down => (dy, -dx),
        };
        // From a flat edge to an upright one on this side, and from there back: a row of edges is followed without leaving it.
        let is_aside = if is_flat { aside < 0 } else { aside > 0 };
        (along > 0).then_some((along + weight * aside.abs(), along, is_aside, i))
    };
    places.iter().filter_map(cost).min().map(|(.., i)| i).or(Some(from))
}

/// The places of the moves of a line, found by playing them.
pub(crate) fn line(offer: &Offer, spot: &Spot, moves: &[String], most: usize) -> Vec<Ghost> {
    let mut spot = spot.clone();
    let mut ghosts = Vec::new();
    for mv in moves.iter().take(most) {
        let Ok(before) = state(offer, &spot) else { break };
        let Some(legal) = before.legal.iter().find(|legal| legal.mv == *mv) else { break };
        let place = before.picture.as_ref().and_then(|picture| place_of(picture, legal));
        if let Some((place, side)) = place.zip(before.to_move) {
            ghosts.push(Ghost { place, side });
        }
        spot.moves.push(mv.clone());
    }
    ghosts
}
