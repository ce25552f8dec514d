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
    game: String,
    title: String,
    position: String,
    /// The first position, unless it is the start of the game.
    start: Option<String>,
    /// `None` if the game is over.
    to_move: Option<u8>,
    ply: usize,
    moves: Vec<PlayedView>,
    legal: Vec<LegalView>,
    result: Option<ResultView>,
    /// The name of the opening; `None` if it has none.
    opening: Option<&'static str>,
    points: Option<[u32; 2]>,
    picture: Option<PictureView>,
    structure: Option<StructureView>,
}

/// A move of the game.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct PlayedView {
    #[serde(rename = "move")]
    mv: String,
    side: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<u16>,
    /// The points of both sides after it, in games with points.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<[u32; 2]>,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct LegalView {
    #[serde(rename = "move")]
    mv: String,
    at: Option<At>,
    after: After,
}

/// The place of a move on the board.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum At {
    Cell([usize; 2]),
    Edge(usize),
    Column(usize),
}

/// The cells that a move changes: row, column and new owner.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct After {
    cells: Vec<[usize; 3]>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct ResultView {
    winner: Option<u8>,
    /// Seen by the first side.
    margin: i16,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct PictureView {
    rows: usize,
    columns: usize,
    cells: Vec<CellView>,
    edges: Option<Vec<EdgeView>>,
    column_labels: Vec<String>,
    row_labels: Vec<String>,
}

fn is_zero(flag: &u8) -> bool {
    *flag == 0
}

/// A cell; flags that are 0 are left out.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct CellView {
    #[serde(skip_serializing_if = "Option::is_none")]
    o: Option<u8>,
    #[serde(skip_serializing_if = "is_zero")]
    hole: u8,
    #[serde(skip_serializing_if = "is_zero")]
    last: u8,
    #[serde(skip_serializing_if = "is_zero")]
    win: u8,
    #[serde(skip_serializing_if = "is_zero")]
    legal: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
struct EdgeView {
    #[serde(skip_serializing_if = "is_zero")]
    drawn: u8,
    #[serde(skip_serializing_if = "is_zero")]
    last: u8,
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
