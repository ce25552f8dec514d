//! Simulations whose leaves are collected and evaluated in batches.

use banyan_core::{Game, LastMoves};

use super::context::Context;
use super::descend::Descent;
use super::search::Search;
use crate::mcts::tree::{Access, BackupUpdate, Below, Edge, EdgeStats, LeafValue, NodeId};
use crate::options::LazyMode;

impl<G: Game> Search<G> {
    /// Simulates until `playouts` more playouts are made, pending ones included, or the root is solved. Leaves stay
    /// pending at the end unless this is the `last` stretch, so that the result does not depend on how a search is cut
    /// into stretches.
    #[inline(never)]
    pub(crate) fn simulate_in_batches<A: Access>(
        &mut self,
        context: &Context<'_, G>,
        access: &mut A,
        (playouts, most_playouts): (u64, u64),
        last: bool,
    ) {
        self.tree.begin_stretch(playouts, most_playouts);
        loop {
            let done = self.tree.spent() >= self.tree.stretch_end || self.tree.has_all_nodes() || self.tree.is_solved();
            let full = self.tree.pending.len() >= self.tree.params.batch as usize;
            if last && done || full || self.tree.pending.is_blocked() {
                self.flush(context, access);
            }
            // The flush may have solved the root, or made the last nodes.
            if done || self.tree.has_all_nodes() || self.tree.is_solved() {
                return;
            }
            self.advance(context, access);
        }
    }

    /// Evaluates all pending leaves.
    pub(crate) fn finish<A: Access>(&mut self, context: &Context<'_, G>, access: &mut A) {
        if self.tree.pending.len() > 0 {
            self.simulate_in_batches(context, access, (0, 0), true);
        }
    }

    /// One descent, backed up unless its leaf becomes pending or it ends at a pending one.
    #[inline]
    pub(crate) fn advance<A: Access>(&mut self, context: &Context<'_, G>, access: &mut A) {
        if self.tree.pending.len() > 0 && self.tree.is_halving_due() {
            self.tree.pending.block();
            return;
        }
        let update = match self.descend::<A, false>(context, access) {
            Descent::Known(leaf) => {
                if self.learns {
                    self.learn(context, None, None, leaf.value);
                }
                Some(self.tree.update_of_leaf(leaf))
            }
            Descent::Solved(node) => Some(self.tree.update_of_solved(node)),
            Descent::Leaf { state, offset } => self.queue(context, access, state, offset),
            Descent::Expanded { node, state, offset } if self.tree.params.batch > 1 => {
                self.tree.count_unobserved(access, None);
                self.add_pending(state, offset, Some(node), self.tree.graph.len(node) as u64);
                None
            }
            Descent::Expanded { node, state, offset } => {
                self.evaluate_children(context, node, &state, offset);
                let node_value = self.node_value(0);
                Some(self.tree.complete(access, node, context.game.to_move(&state), (node_value, 0)))
            }
            Descent::Pending => {
                self.tree.pending.block();
                None
            }
        };
        if let Some(update) = update {
            self.tree.back_up(access, update);
        }
    }

    /// Makes the leaf at the end of the path pending, unless its moves prove its value.
    fn queue<A: Access>(
        &mut self,
        context: &Context<'_, G>,
        access: &mut A,
        state: G::State,
        offset: i16,
    ) -> Option<BackupUpdate> {
        let again = self.resampled(context, &state);
        if again.is_some() && self.states.contains(&state) {
            self.tree.pending.block();
            return None;
        }
        if self.priors_with_values {
            let proven = self.list_moves(context, &state, offset);
            self.expect_reply(context, &state);
            if let Some(leaf) = self.tree.params.solved(proven) {
                return Some(self.tree.update_of_leaf(leaf));
            }
            self.pending_moves.push(&self.moves, proven);
        }
        self.tree.count_unobserved(access, again);
        if again.is_none() {
            let edge = self.tree.last().edge;
            self.tree.graph.set_below(edge, Below::Pending);
        }
        self.add_pending(state, offset, None, 1);
        None
    }

    /// Adds the leaf at the end of the path to the pending leaves.
    fn add_pending(&mut self, state: G::State, offset: i16, node: Option<NodeId>, playouts: u64) {
        self.states.push(state);
        if self.needs_last_moves {
            self.simulated.last_of_pending.push(self.simulated.last_moves);
        }
        self.tree.add_pending(offset, node, playouts);
    }

    /// The node at the end of the path, if lazy expansion evaluates it once more.
    fn resampled(&self, context: &Context<'_, G>, state: &G::State) -> Option<NodeId> {
        let may_be = self.tree.params.lazy > 0.0 && self.tree.params.lazily == LazyMode::Resample;
        may_be.then(|| context.child(&self.tree, self.tree.last().edge, state)).flatten()
    }

    /// Evaluates all pending leaves and backs them up in the order in which they were added.
    #[inline(never)]
    fn flush<A: Access>(&mut self, context: &Context<'_, G>, access: &mut A) {
        let n = self.tree.pending.len();
        if n == 0 {
            return;
        }
        if self.priors_with_values {
            self.evaluate_with_priors(context);
        } else {
            self.begin_group();
            for i in 0..n {
                let (offset, node) = self.tree.pending.leaf(i);
                if let Some(node) = node {
                    let last_moves =
                        if self.needs_last_moves { self.simulated.last_of_pending[i] } else { LastMoves::default() };
                    self.add_children(context, (node, last_moves), &self.states[i].clone(), offset);
                } else {
                    // The visit was counted when the leaf became pending.
                    self.add_leaf(context, i, self.tree.pending_visits(i) - 1);
                }
            }
            // If positions at the horizon have a separate evaluator, the only pending leaf is at the end of the path.
            self.evaluate_group_at(context, self.is_at_horizon(0));
        }
        let (mut at, mut n_nodes, mut evaluated) = (0, 0, 0);
        for i in 0..n {
            let (state, (offset, node)) = (self.states[i].clone(), self.tree.pending.leaf(i));
            self.tree.restore_path(i);
            if self.learns {
                evaluated = self.learn_from_group(context, (at, evaluated), node);
            }
            if let Some(node) = node {
                let Search { tree, group, .. } = self;
                let mover = context.game.to_move(&state);
                tree.store_children(node, mover, offset, &group.values[at..]);
                at += tree.graph.len(node);
                let node_value = self.node_value(n_nodes);
                n_nodes += 1;
                // One visit was counted when the node became pending.
                let update = self.tree.complete(access, node, mover, (node_value, 1));
                self.tree.refresh_path();
                self.tree.back_up(access, update);
                continue;
            }
            let value = self.group.values[at].1;
            at += 1;
            self.resolve(context, access, i, value);
        }
        self.clear_pending();
    }

    /// Backs up the value of pending leaf `i`, whose path is the current one.
    pub(crate) fn resolve<A: Access>(
        &mut self,
        context: &Context<'_, G>,
        access: &mut A,
        i: usize,
        mut value: LeafValue,
    ) {
        let state = self.states[i].clone();
        self.tree.playouts += 1;
        value.value += self.leaf_bias(context, &state);
        let update = if let Some(node) = self.resampled(context, &state) {
            self.tree.update_of_node(node, context.game.to_move(&state), value)
        } else {
            let (edge, gain) = (self.tree.last().edge, self.tree.last().gain);
            self.tree.graph.set_below(edge, Below::Leaf);
            let counted = self.tree.graph.stats(edge);
            let stats = EdgeStats { visits: counted.visits - 1, ..counted }.with(value.value + f32::from(gain));
            if self.priors_with_values {
                self.add_with_priors(context, i, stats, value);
            }
            BackupUpdate { stats, bounds: value.bounds, made: 0 }
        };
        self.tree.refresh_path();
        self.tree.back_up(access, update);
    }

    /// The pending leaf added last, for a caller that evaluates it: its position, the score from which its values
    /// count, and its edge.
    pub(crate) fn last_pending(&self) -> (G::State, i16, Edge) {
        let last = self.states.len() - 1;
        (self.states[last].clone(), self.tree.pending.leaf(last).0, self.tree.last().edge)
    }

    /// Removes pending leaf `i`, a single position.
    pub(crate) fn remove_pending(&mut self, i: usize) {
        self.states.remove(i);
        debug_assert!(!self.needs_last_moves, "threads that share a graph do not learn");
        self.tree.pending.remove(i);
    }
}
