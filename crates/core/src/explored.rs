//! The top of what a search left behind, as plain data: for drawings and for programs that want to know why.

use crate::{Bounds, Side};

/// The most visited positions of a search and the moves between them. A position that several moves lead to is there
/// once, so this is a graph; as every move raises the ply, it has no cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct Explored<M> {
    /// The position searched comes first, the others follow by decreasing visits. Each can be reached from the first
    /// along edges, and its moves are legal after whichever of these ways.
    pub nodes: Vec<ExploredNode<M>>,
}

/// What a search knows about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct ExploredNode<M> {
    /// Whose move it is.
    pub to_move: Side,
    /// How often the search came by.
    pub visits: u64,
    /// Expected result for `First`: -1 certain loss … 1 certain win.
    pub value: f64,
    /// Proven bounds of the final margin, banked points included, if narrower than the game's own range.
    pub proof: Option<Bounds>,
    /// Its moves, by decreasing visits.
    pub edges: Vec<ExploredEdge<M>>,
}

/// What a search knows about a move.
#[derive(Clone, Debug, PartialEq)]
pub struct ExploredEdge<M> {
    /// The move.
    pub mv: M,
    /// How often the search chose it; less than the visits of the position it leads to where other moves lead there too.
    pub visits: u64,
    /// Expected result for `First`: -1 certain loss … 1 certain win. 0 where nothing is known.
    pub value: f64,
    /// Probability given to the move before it was tried, 0 .. 1, where the search uses any.
    pub prior: Option<f64>,
    /// Proven bounds of the final margin after the move, if narrower than the game's own range.
    pub proof: Option<Bounds>,
    /// Index in [`nodes`](Explored::nodes) of the position it leads to; `None` if the search keeps no node for it, or
    /// has been asked for fewer.
    pub to: Option<usize>,
}
