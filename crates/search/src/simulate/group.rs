//! Positions to be evaluated together, with their answers.

use banyan_core::{Answer, Game, Margin};

use crate::tree::LeafValue;

/// Positions to be evaluated in one call, and what is said of them.
pub(crate) struct Group<G: Game> {
    /// `[asked]`: those that are not over, and how often they have been visited.
    pub(super) states: Vec<G::State>,
    pub(super) visits: Vec<u32>,
    pub(super) answers: Vec<Answer>,
    /// `[n]`: the points from which each position counts, and its result if it is over.
    pub(super) positions: Vec<(i16, Option<Margin>)>,
    /// `[n]`: the points from which each position counts, and its value.
    pub(super) values: Vec<(i16, LeafValue)>,
    /// Nodes about which more is to be said, the points from which they count, and what is said.
    pub(super) nodes: Vec<G::State>,
    pub(super) node_offsets: Vec<i16>,
    pub(super) node_visits: Vec<u32>,
    pub(super) node_answers: Vec<Answer>,
}

impl<G: Game> Default for Group<G> {
    fn default() -> Group<G> {
        Group {
            states: Vec::new(),
            visits: Vec::new(),
            answers: Vec::new(),
            positions: Vec::new(),
            values: Vec::new(),
            nodes: Vec::new(),
            node_offsets: Vec::new(),
            node_visits: Vec::new(),
            node_answers: Vec::new(),
        }
    }
}

impl<G: Game> Group<G> {
    /// Begins a new group.
    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.visits.clear();
        self.positions.clear();
        self.nodes.clear();
        self.node_offsets.clear();
    }
}
