//! Evaluators that give priors with the values: a leaf becomes a node when it is evaluated.

use banyan_core::{Answer, Game, Leaves, MoveCode};

use super::context::Context;
use super::pending_moves::PendingMoves;
use super::search::Search;
use crate::mcts::tree::{Below, EdgeStats, Expansion, LeafValue, NodeId, Packed};

impl<G: Game> Search<G> {
    /// Evaluates all pending leaves with their moves; their values are those of the group.
    pub(crate) fn evaluate_with_priors(&mut self, context: &Context<'_, G>) {
        let n = self.states.len();
        self.pending_moves.visits.clear();
        for i in 0..n {
            let visits = self.tree.pending_visits(i).saturating_sub(1);
            self.pending_moves.visits.push(visits);
        }
        let Search { tree, evaluator, pending_moves, group, states, .. } = self;
        let PendingMoves { moves, ends, priors, visits, answers, .. } = pending_moves;
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

    /// Evaluates the root, whose moves have just been listed, and makes its node.
    pub(crate) fn add_root_with_priors(
        &mut self,
        context: &Context<'_, G>,
        key: u64,
        offset: i16,
        bounds: Packed,
    ) -> Option<NodeId> {
        self.clear_pending();
        self.pending_moves.push(&self.moves, bounds);
        self.states.push(context.state.clone());
        self.tree.path.clear();
        self.tree.add_pending(offset, None, 1);
        self.evaluate_with_priors(context);
        let value = self.group.values[0].1.value;
        let node = self.node_with_priors(context, 0, EdgeStats::default().with(value), key);
        self.clear_pending();
        node
    }

    /// Makes the node of leaf `i`, whose path is the current one.
    pub(crate) fn add_with_priors(&mut self, context: &Context<'_, G>, i: usize, stats: EdgeStats, value: LeafValue) {
        let (edge, gain) = (self.tree.last().edge, self.tree.last().gain);
        let state = self.states[i].clone();
        if let Some(bounds) = value.bounds {
            self.pending_moves.proven[i] = self.pending_moves.proven[i].and(bounds);
        }
        let key = if self.tree.params.shared { context.key(&self.tree.params, &state) } else { 0 };
        let key = self.tree.child_key(edge, key);
        if let Some(node) = self.node_with_priors(context, i, stats.before(gain), key) {
            self.tree.graph.set_below(edge, Below::Node(node));
        }
    }

    /// The node of leaf `i`, made if there is none, with `own` evaluations.
    fn node_with_priors(&mut self, context: &Context<'_, G>, i: usize, own: EdgeStats, key: u64) -> Option<NodeId> {
        let Search { tree, pending_moves, states, .. } = self;
        if let Some(node) = tree.params.shared.then(|| tree.graph.find(key)).flatten() {
            return Some(node);
        }
        let range = pending_moves.moves_of(i);
        let sane = |p: f32| if p.is_finite() { f64::from(p.max(0.0)) } else { 0.0 };
        let sum: f64 = pending_moves.priors[range.clone()].iter().map(|&p| sane(p)).sum();
        let even = 1.0 / range.len() as f32;
        let prior = |p: f32| if sum > 0.0 { (sane(p) / sum) as f32 } else { even };
        tree.codes.clear();
        tree.codes.extend(pending_moves.moves[range.clone()].iter().map(|mv| mv.code()));
        tree.priors.clear();
        tree.priors.extend(range.map(|at| prior(pending_moves.priors[at])));
        tree.sort_by_prior();
        let (bounds, offset) = (pending_moves.proven[i], tree.pending.leaf(i).0);
        let mover = context.game.to_move(&states[i]);
        let node = tree.add_node(&Expansion { key, own, bounds, mover, offset, awaits: false });
        if let Some(node) = node.filter(|_| tree.params.shared) {
            tree.note_visits(node, own.visits);
        }
        tree.priors.clear();
        node
    }
}
