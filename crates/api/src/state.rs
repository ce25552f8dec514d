//! A position as shown by a page: the board, the effect of every legal move, and the result.

use banyan_catalog::view::StructureView;
use banyan_catalog::{GameState, NamedOpening, Session};
use banyan_core::{Cell, Margin, Picture, Side};
use serde::Serialize;

use crate::offer::Offer;
use crate::refusal::Refusal;
use crate::spot::Spot;
use crate::title::title;

/// A position with its moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateView {
    /// The game in its shortest form.
    pub game: String,
    /// The display name of the game and its board.
    pub title: String,
    /// The position as one line of text.
    pub position: String,
    /// The first position, unless it is the start of the game.
    pub start: Option<String>,
    /// The side to move, 0 or 1; `None` if the game is over.
    pub to_move: Option<u8>,
    /// Number of moves.
    pub ply: usize,
    /// The moves of the game.
    pub moves: Vec<PlayedView>,
    /// The legal moves.
    pub legal: Vec<LegalView>,
    /// The result; `None` if the game is not over.
    pub result: Option<ResultView>,
    /// The name of the opening; `None` if it has none.
    pub opening: Option<&'static str>,
    /// The points of both sides; `None` in games without points.
    pub points: Option<[u32; 2]>,
    /// The board; `None` if it cannot be drawn.
    pub picture: Option<PictureView>,
    /// The structure of the position; `None` in games without one.
    pub structure: Option<StructureView>,
}

/// A move of the game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayedView {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The side that made it, 0 or 1.
    pub side: u8,
    /// Its number in OpenSpiel's version of the game; `None` in games without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u16>,
    /// The points of both sides after it, in games with points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<[u32; 2]>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LegalView {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// Its place; `None` for a pass, and in games without a board.
    pub at: Option<At>,
    /// Its effect.
    pub after: After,
}

/// The place of a move on the board.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum At {
    /// Row and column of a cell.
    Cell([usize; 2]),
    /// The index of an edge, as in [`PictureView::edges`].
    Edge(usize),
    /// A column, in which a stone falls.
    Column(usize),
}

/// The cells that a move changes: row, column and new owner.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct After {
    /// Row, column and owner of each cell.
    pub cells: Vec<[usize; 3]>,
}

/// The result of a finished game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultView {
    /// The side that wins, 0 or 1; `None` for a draw.
    pub winner: Option<u8>,
    /// The final margin, seen by the first side.
    pub margin: i16,
    /// The result in words.
    pub text: String,
}

/// A rectangular board, seen from above, top row first: see [`Picture`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PictureView {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The cells, row by row.
    pub cells: Vec<CellView>,
    /// On boards of dots and lines: the horizontal edges row by row, then the vertical ones.
    pub edges: Option<Vec<EdgeView>>,
    /// The labels of the columns, from the left.
    pub column_labels: Vec<String>,
    /// The labels of the rows, from the top.
    pub row_labels: Vec<String>,
}

fn is_zero(flag: &u8) -> bool {
    *flag == 0
}

/// A cell; flags that are 0 are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellView {
    /// The owner of the stone or box, 0 or 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub o: Option<u8>,
    /// Whether it is a hole.
    #[serde(skip_serializing_if = "is_zero")]
    pub hole: u8,
    /// Whether the last move was played here.
    #[serde(skip_serializing_if = "is_zero")]
    pub last: u8,
    /// Whether it is part of the winning line.
    #[serde(skip_serializing_if = "is_zero")]
    pub win: u8,
    /// Whether the side to move may place a stone here.
    #[serde(skip_serializing_if = "is_zero")]
    pub legal: u8,
}

/// An edge between two dots; flags that are 0 are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EdgeView {
    /// Whether it is drawn.
    #[serde(skip_serializing_if = "is_zero")]
    pub drawn: u8,
    /// Whether the last move drew it.
    #[serde(skip_serializing_if = "is_zero")]
    pub last: u8,
}

/// The position of a spot.
///
/// # Errors
/// A position that is invalid.
pub fn state(offer: &Offer, spot: &Spot) -> Result<StateView, Refusal> {
    let session = &spot.open(offer)?;
    let picture = session.picture();
    let result = session.result();
    Ok(StateView {
        game: session.spec(),
        title: title(&offer.catalog, session),
        position: session.position(),
        start: session.opening(),
        to_move: result.is_none().then(|| number(session.to_move())),
        ply: session.history().len(),
        moves: played(session),
        legal: legal(session, picture.as_ref()),
        result: result.map(|margin| ResultView::of(session, margin)),
        opening: session.named_opening().map(NamedOpening::name),
        points: session.points(),
        picture: picture.map(PictureView::of),
        structure: session.structure().map(StructureView::from),
    })
}

fn number(side: Side) -> u8 {
    side.index() as u8
}

fn played(game: &Session) -> Vec<PlayedView> {
    let ids = game.history_ids();
    let id = |i: usize| ids.as_ref().and_then(|ids| ids.get(i).copied());
    let points = points_after_moves(game);
    let view = |(i, (mv, side))| PlayedView { mv, side: number(side), id: id(i), points: points.get(i).copied() };
    game.history().into_iter().zip(game.movers()).enumerate().map(view).collect()
}

/// The points of both sides after each move; empty in games without points.
fn points_after_moves(session: &Session) -> Vec<[u32; 2]> {
    let Some(count) = session.tables().points else { return Vec::new() };
    let mut at = session.fork();
    let mut points = Vec::new();
    for _ in session.movers() {
        points.extend(count(&at));
        at.undo();
    }
    points.reverse();
    points
}

/// Every legal move with its place and its effect, found by playing it on a copy.
fn legal(game: &GameState, before: Option<&Picture>) -> Vec<LegalView> {
    let view = |mv: String| {
        let mut next = game.fork();
        let after = next.play(&mv).ok().and_then(|_| next.picture());
        let (at, cells) = match before.zip(after.as_ref()) {
            Some((before, after)) => (place(&mv, before, after), changes(before, after)),
            None => (None, Vec::new()),
        };
        LegalView { mv, at, after: After { cells } }
    };
    game.legal_moves().into_iter().map(view).collect()
}

/// The edge or the cell that the board marks as the last move. A move with the name of the column of its cell is made
/// by choosing any cell of that column.
fn place(mv: &str, before: &Picture, after: &Picture) -> Option<At> {
    if let Some(edges) = &after.edges {
        return edges.iter().position(|edge| edge.last).map(At::Edge);
    }
    // After a pass the mark of the previous move remains, or none.
    let is_new = |(was, is): (&Cell, &Cell)| is.last && was.owner.is_none() && is.owner.is_some();
    let cell = before.cells.iter().zip(&after.cells).position(is_new)?;
    let (row, column) = (cell / after.columns, cell % after.columns);
    let is_column = after.column_labels.get(column).is_some_and(|label| label == mv);
    Some(if is_column { At::Column(column) } else { At::Cell([row, column]) })
}

/// The cells whose owner has changed.
fn changes(before: &Picture, after: &Picture) -> Vec<[usize; 3]> {
    let cells = before.cells.iter().zip(&after.cells).enumerate();
    let changed = cells.filter(|(_, (was, is))| was.owner != is.owner);
    changed.filter_map(|(i, (_, is))| Some([i / after.columns, i % after.columns, is.owner?.index()])).collect()
}

impl ResultView {
    fn of(session: &Session, margin: Margin) -> ResultView {
        let winner = margin.winner();
        let text = match winner {
            Some(side) => format!("{} wins {}", session.side_name(side), session.tables().unit.by_how_much(margin)),
            None => "a draw".to_owned(),
        };
        ResultView { winner: winner.map(number), margin: margin.0, text }
    }
}

impl PictureView {
    fn of(picture: Picture) -> PictureView {
        let cell = |cell: &Cell| CellView {
            o: cell.owner.map(number),
            hole: cell.hole.into(),
            last: cell.last.into(),
            win: cell.winning.into(),
            legal: cell.legal.into(),
        };
        let edges = picture.edges.map(|edges| {
            edges.iter().map(|edge| EdgeView { drawn: edge.drawn.into(), last: edge.last.into() }).collect()
        });
        PictureView {
            rows: picture.rows,
            columns: picture.columns,
            cells: picture.cells.iter().map(cell).collect(),
            edges,
            column_labels: picture.column_labels,
            row_labels: picture.row_labels,
        }
    }
}
