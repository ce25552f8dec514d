//! The result of a search.

use std::time::Duration;

use crate::Bounds;

/// Statistics of one move of the root position.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveStat<M> {
    /// The move.
    pub mv: M,
    /// Visits.
    pub visits: u64,
    /// Expected result for the side to move: -1 certain loss … 1 certain win. 0 where nothing is known.
    pub value: f64,
    /// Expected final margin in points for the side to move. `None` if it is unknown, from players that expect none, and
    /// in games without margins.
    pub margin: Option<f64>,
    /// Whether `value` and `margin` are upper bounds, as alpha-beta returns for moves that are not lines.
    pub is_bound: bool,
    /// Proven bounds of the final margin after the move, if narrower than the game's own range.
    pub proof: Option<Bounds>,
    /// The principal variation, beginning with the move itself.
    pub pv: Vec<M>,
}

/// A player's choice with its statistics. Also passed to the observer while a search runs.
///
/// ```
/// use banyan_core::Report;
///
/// let report = Report { value: 0.5, ..Report::bare(3u8, Default::default()) };
/// assert_eq!((report.best, report.win_rate()), (3, 0.75));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// The move chosen.
    pub best: M,
    /// Expected result for the side to move: -1 certain loss … 1 certain win.
    pub value: f64,
    /// Expected final margin in points for the side to move; `None` from players that expect none, and in games without
    /// margins.
    pub margin: Option<f64>,
    /// Proven bounds of the final margin, if narrower than the game's own range.
    pub proof: Option<Bounds>,
    /// Every move considered, best first.
    pub moves: Vec<MoveStat<M>>,
    /// The principal variation, beginning with `best`.
    pub pv: Vec<M>,
    /// Playouts (evaluated leaves) of this search.
    pub playouts: u64,
    /// The last finished depth of iterative deepening; `None` from other searches.
    pub depth: Option<u32>,
    /// Nodes held at the end, those reused from earlier moves included.
    pub nodes: u64,
    /// Share of the previous search's visits that were reused, 0 .. 1.
    pub reused: f64,
    /// Memory held by the search.
    pub memory_bytes: u64,
    /// Time spent, by the [`Timer`](crate::Timer) of the limits.
    pub elapsed: Duration,
    /// Whether the move is one of a book: of an opening book instead of a search, and then `nodes` and the visits of the moves are positions
    /// of the book; or one that a book of exact values proves best, chosen among those by a search.
    pub from_book: bool,
}

impl<M: Copy> Report<M> {
    /// A report with the chosen move and no statistics.
    pub fn bare(best: M, elapsed: Duration) -> Report<M> {
        Report {
            best,
            value: 0.0,
            margin: None,
            proof: None,
            moves: Vec::new(),
            pv: vec![best],
            playouts: 0,
            depth: None,
            nodes: 0,
            reused: 0.0,
            memory_bytes: 0,
            elapsed,
            from_book: false,
        }
    }

    /// Expected share of the point for the side to move, 0 .. 1.
    pub fn win_rate(&self) -> f64 {
        (self.value + 1.0) / 2.0
    }
}
