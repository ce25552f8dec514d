//! Positions that are evaluated together, with their answers.

use banyan_core::{Answer, Game, Margin};

use crate::mcts::tree::LeafValue;

/// Positions that are evaluated in one call, with their answers.
pub(crate) struct Group<G: Game> {
    /// `[n_evaluated]`: the positions that are not terminal, and their visits.
    pub(super) states: Vec<G::State>,
    pub(super) visits: Vec<u32>,
    pub(super) answers: Vec<Answer>,
    /// `[n]`: the score from which each position counts, and its result if it is terminal.
    pub(super) positions: Vec<(i16, Option<Margin>)>,
    /// `[n]`: the bonus of each position; empty if the evaluator has none.
    pub(super) bonuses: Vec<f32>,
    /// `[n]`: the score from which each position counts, and its value.
    pub(super) values: Vec<(i16, LeafValue)>,
    /// Nodes that are evaluated themselves, the scores from which they count, and their answers.
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
            bonuses: Vec::new(),
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
        self.bonuses.clear();
        self.nodes.clear();
        self.node_offsets.clear();
    }
}
