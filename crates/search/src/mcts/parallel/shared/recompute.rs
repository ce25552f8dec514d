//! Recomputation of the most visited nodes after a parallel search.

use std::collections::HashSet;

use banyan_core::{Game, MoveCode};

use crate::mcts::simulate::Context;
use crate::mcts::tree::{NodeId, Tree};

/// Recomputes the root, its edges and all edges with at least `least` visits from their children, because each thread
/// wrote values from its own copies. Nodes `done` are skipped.
pub(super) fn recompute<G: Game>(
    context: &Context<'_, G>,
    tree: &mut Tree,
    (node, state): (NodeId, &G::State),
    least: u32,
    done: &mut HashSet<u32>,
) {
    if !done.insert(node.0) {
        return;
    }
    let game = context.game;
    for edge in tree.graph.edges(node) {
        let stats = tree.graph.stats(edge);
        if stats.visits < least && node != tree.root {
            continue;
        }
        let mut below = state.clone();
        game.play(&mut below, G::Move::from_code(tree.graph.code(edge)));
        let Some(child) = context.child(tree, edge, &below) else { continue };
        if stats.visits >= least {
            recompute(context, tree, (child, &below), least, done);
        }
        let gain = context.offset(&tree.params, &below) - context.offset(&tree.params, state);
        tree.graph.set_stats(edge, tree.stats_now(child, stats.visits).after(gain));
        let bounds = tree.graph.edge_bounds(edge);
        let both = bounds.and(tree.graph.bounds(child).shifted(gain));
        if tree.params.proves() && both != bounds {
            tree.graph.set_edge_bounds(edge, both);
            tree.propagate_bounds(node, game.to_move(state));
        }
    }
}
