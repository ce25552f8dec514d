//! The most visited part of a search graph as plain data, for drawing and inspection.

use crate::{Bounds, Side};

/// The most visited positions of a search and the moves between them. A transposition appears once, so this is a graph;
/// every move raises the ply, so it has no cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored<M> {
    /// The root comes first, then the others by decreasing visits. Each is reachable from the root along edges, and its
    /// moves are legal whichever path led there.
    pub nodes: Vec<ExploredNode<M>>,
}

/// Statistics of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct ExploredNode<M> {
    /// The side to move.
    pub to_move: Side,
    /// Visits.
    pub visits: u64,
    /// Expected result for `First`: -1 certain loss … 1 certain win.
    pub value: f64,
    /// Proven bounds of the final margin, score so far included, if narrower than the game's own range.
    pub proof: Option<Bounds>,
    /// Its moves, by decreasing visits.
    pub edges: Vec<ExploredEdge<M>>,
}

/// Statistics of a move.
#[derive(Clone, Debug, PartialEq)]
pub struct ExploredEdge<M> {
    /// The move.
    pub mv: M,
    /// Visits through this move; fewer than those of the child where other moves lead to it too.
    pub visits: u64,
    /// Expected result for `First`: -1 certain loss … 1 certain win. 0 where nothing is known.
    pub value: f64,
    /// Prior probability, 0 .. 1; `None` if the search uses no priors.
    pub prior: Option<f64>,
    /// Proven bounds of the final margin after the move, if narrower than the game's own range.
    pub proof: Option<Bounds>,
    /// Index of the child in [`nodes`](Explored::nodes); `None` if the search has no node for it, or it is not among
    /// those returned.
    pub to: Option<usize>,
}
