//! Evaluators that give priors with the values: leaves get their nodes when they are evaluated.

use std::ops::Range;

use banyan_core::{Answer, Game, Leaves, MoveCode};

use super::context::Context;
use super::search::Search;
use crate::tree::{Below, EdgeStats, Expansion, LeafValue, NodeId, Packed};

/// The moves of leaves that wait, and their priors.
pub(crate) struct Policies<G: Game> {
    /// The moves of all leaves, where those of each end, and what they prove.
    moves: Vec<G::Move>,
    ends: Vec<usize>,
    proven: Vec<Packed>,
    priors: Vec<f32>,
    visits: Vec<u32>,
    answers: Vec<Answer>,
}

impl<G: Game> Default for Policies<G> {
    fn default() -> Policies<G> {
        let (moves, ends, proven, priors) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Policies { moves, ends, proven, priors, visits: Vec::new(), answers: Vec::new() }
    }
}

impl<G: Game> Policies<G> {
    /// A leaf begins to wait.
    pub(crate) fn push(&mut self, moves: &[G::Move], proven: Packed) {
        self.moves.extend_from_slice(moves);
        self.ends.push(self.moves.len());
        self.proven.push(proven);
    }

    /// Nothing waits any more.
    pub(crate) fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
        self.proven.clear();
    }

    fn moves_of(&self, i: usize) -> Range<usize> {
        let begin = if i == 0 { 0 } else { self.ends[i - 1] };
        begin..self.ends[i]
    }
}

impl<G: Game> Search<G> {
    /// Evaluates all leaves that wait, each of which has its moves; their values are those of the group.
    pub(crate) fn evaluate_with_priors(&mut self, context: &Context<'_, G>) {
        let n = self.states.len();
        self.policies.visits.clear();
        for i in 0..n {
            let visits = self.tree.pending_visits(i).saturating_sub(1);
            self.policies.visits.push(visits);
        }
        let Search { tree, evaluator, policies, group, states, .. } = self;
        let Policies { moves, ends, priors, visits, answers, .. } = policies;
        answers.clear();
        answers.resize(n, Answer::default());
        priors.clear();
        priors.resize(moves.len(), 1.0);
        let mut leaves = Leaves::new(states, visits, answers).with_moves(moves, ends, priors);
        evaluator.evaluate(context.game, &mut leaves, &mut tree.rng);
        group.values.clear();
        group.values.extend((0..n).map(|i| {
            let offset = tree.pending.leaf(i).0;
            (offset, tree.params.leaf_value(answers[i], offset))
        }));
    }

    /// Evaluates a root alone, whose moves have just been listed, and makes its node.
    pub(crate) fn add_root_with_priors(
        &mut self,
        context: &Context<'_, G>,
        key: u64,
        offset: i16,
        bounds: Packed,
    ) -> Option<NodeId> {
        self.clear_pending();
        self.policies.push(&self.moves, bounds);
        self.states.push(*context.state);
        self.tree.path.clear();
        self.tree.hold(offset, None, 1);
        self.evaluate_with_priors(context);
        let value = self.group.values[0].1.value;
        let node = self.node_with_priors(context, 0, EdgeStats::default().with(value), key);
        self.clear_pending();
        node
    }

    /// Makes the node of leaf `i`, whose path is the current one.
    pub(crate) fn add_with_priors(&mut self, context: &Context<'_, G>, i: usize, stats: EdgeStats, value: LeafValue) {
        let (edge, gain) = (self.tree.last().edge, self.tree.last().gain);
        let state = self.states[i];
        if let Some(bounds) = value.bounds {
            self.policies.proven[i] = self.policies.proven[i].and(bounds);
        }
        let key = if self.tree.params.shared { context.key(&self.tree.params, &state) } else { 0 };
        let key = self.tree.child_key(edge, key);
        if let Some(node) = self.node_with_priors(context, i, stats.before(gain), key) {
            self.tree.graph.set_below(edge, Below::Node(node));
        }
    }

    /// The node of leaf `i`, made if it is not there, with `own` evaluations.
    fn node_with_priors(&mut self, context: &Context<'_, G>, i: usize, own: EdgeStats, key: u64) -> Option<NodeId> {
        let Search { tree, policies, states, .. } = self;
        if let Some(node) = tree.params.shared.then(|| tree.graph.find(key)).flatten() {
            return Some(node);
        }
        let range = policies.moves_of(i);
        let sane = |p: f32| if p.is_finite() { f64::from(p.max(0.0)) } else { 0.0 };
        let sum: f64 = policies.priors[range.clone()].iter().map(|&p| sane(p)).sum();
        let even = 1.0 / range.len() as f32;
        let prior = |p: f32| if sum > 0.0 { (sane(p) / sum) as f32 } else { even };
        tree.codes.clear();
        tree.codes.extend(policies.moves[range.clone()].iter().map(|mv| mv.code()));
        tree.priors.clear();
        tree.priors.extend(range.map(|at| prior(policies.priors[at])));
        tree.sort_by_prior();
        let (bounds, offset) = (policies.proven[i], tree.pending.leaf(i).0);
        let mover = context.game.to_move(&states[i]);
        let node = tree.add_node(&Expansion { key, own, bounds, mover, offset });
        if let Some(node) = node.filter(|_| tree.params.shared) {
            tree.note_visits(node, own.visits);
        }
        tree.priors.clear();
        node
    }
}
