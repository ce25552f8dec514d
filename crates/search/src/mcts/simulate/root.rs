//! The root: its node, and the bounds of its moves by one ply of tactics.

use banyan_core::{Bounds, Game, MoveCode};

use super::context::Context;
use super::search::Search;
use crate::mcts::tree::{EdgeStats, Expansion, NodeId};

impl<G: Game> Search<G> {
    /// Makes the root; an evaluator that gives priors with values evaluates it at once.
    pub(crate) fn add_root(&mut self, context: &Context<'_, G>, key: u64) -> Option<NodeId> {
        let Context { game, state, .. } = *context;
        let offset = context.offset(&self.tree.params, state);
        self.tree.path.clear();
        let bounds = self.list_moves(context, state, offset);
        // The bound assured by one-ply tactics does not name the move that attains it, so the root takes bounds from
        // its moves only.
        let mover = game.to_move(state);
        let bounds = bounds.unassured(mover, self.tree.params.unknown(offset));
        if self.priors_with_values {
            return self.add_root_with_priors(context, key, offset, bounds);
        }
        // The moves of the root are tried one at a time, even if other nodes evaluate all children at once.
        self.encode_moves(context, state, true, false);
        let node =
            self.tree.add_node(&Expansion { key, own: EdgeStats::default(), bounds, mover, offset, awaits: false })?;
        if self.tree.params.shared {
            self.tree.note_visits(node, 0);
        }
        if self.tree.params.has_heuristics {
            self.add_heuristics(context, state, node, offset);
        }
        Some(node)
    }

    /// Bounds every move of the root by one-ply tactics: wins and losses in one ply need no search.
    pub(crate) fn examine_root_moves(&mut self, context: &Context<'_, G>) {
        let Context { game, state, .. } = *context;
        let root = self.tree.root;
        let offset = context.offset(&self.tree.params, state);
        for edge in self.tree.graph.edges(root) {
            let mut next = state.clone();
            game.play(&mut next, G::Move::from_code(self.tree.graph.code(edge)));
            let below = context.offset(&self.tree.params, &next);
            let child_bounds = match game.result(&next) {
                Some(margin) => self.tree.params.packed(Bounds::exact(margin), below),
                None => self.list_moves(context, &next, below),
            };
            let bounds = self.tree.graph.edge_bounds(edge).and(child_bounds.shifted(below - offset));
            self.tree.graph.set_edge_bounds(edge, bounds);
        }
        self.tree.prune_root_moves(game.to_move(state), offset);
    }
}
