//! The most visited part of a graph as plain structs, for pictures and files.

use std::collections::BinaryHeap;

use banyan_core::{Explored, ExploredEdge, ExploredNode, Game, MoveCode, sort_by_order};

use super::view::{final_bounds, value_of};
use crate::mcts::simulate::Context;
use crate::mcts::tree::{Edge, NodeId, Tree};

/// A node to export, with its position.
struct Reached<G: Game> {
    node: NodeId,
    state: G::State,
    visits: u64,
}

/// The most visited nodes reachable from the root: at most `most_nodes`, and at least the root.
pub(crate) fn explored<G: Game>(context: &Context<'_, G>, tree: &Tree, most_nodes: usize) -> Explored<G::Move> {
    let nodes = most_visited(context, tree, most_nodes.max(1));
    let index = |id: NodeId| nodes.iter().position(|reached| reached.node == id);
    Explored { nodes: nodes.iter().map(|reached| explored_node(context, tree, reached, &index)).collect() }
}

/// The root, then the most visited nodes linked from nodes before them, most visited first.
fn most_visited<G: Game>(context: &Context<'_, G>, tree: &Tree, most_nodes: usize) -> Vec<Reached<G>> {
    let reached = |node, state: G::State| Reached { node, state, visits: tree.graph.total_visits(node) };
    let mut nodes: Vec<Reached<G>> = vec![reached(tree.root, context.state.clone())];
    // Candidates by visits; equals in the order of discovery.
    let mut heap: BinaryHeap<(u64, std::cmp::Reverse<usize>)> = BinaryHeap::new();
    let mut found: Vec<Reached<G>> = Vec::new();
    let mut next = 0;
    loop {
        let (node, state) = (nodes[next].node, nodes[next].state.clone());
        for edge in tree.graph.edges(node) {
            let mut below = state.clone();
            context.game.play(&mut below, G::Move::from_code(tree.graph.code(edge)));
            let Some(child) = context.child(tree, edge, &below) else { continue };
            if nodes.iter().chain(&found).all(|reached| reached.node != child) {
                found.push(reached(child, below));
                heap.push((found[found.len() - 1].visits, std::cmp::Reverse(found.len() - 1)));
            }
        }
        next = nodes.len();
        let Some((visits, std::cmp::Reverse(i))) = heap.pop().filter(|_| next < most_nodes) else { break };
        nodes.push(Reached { node: found[i].node, state: found[i].state.clone(), visits });
    }
    // They are nearly sorted already.
    sort_by_order(&mut nodes[1..], |a, b| a.visits > b.visits);
    nodes
}

fn explored_node<G: Game>(
    context: &Context<'_, G>,
    tree: &Tree,
    reached: &Reached<G>,
    index: &dyn Fn(NodeId) -> Option<usize>,
) -> ExploredNode<G::Move> {
    let &Reached { node, ref state, visits } = reached;
    let params = &tree.params;
    let offset = context.offset(params, state);
    let mut edges: Vec<Edge> = tree.graph.edges(node).collect();
    sort_by_order(&mut edges, |&a, &b| tree.graph.visits_of(a) > tree.graph.visits_of(b));
    let bounds = params.proves().then(|| tree.graph.bounds(node));
    ExploredNode {
        to_move: context.game.to_move(state),
        visits,
        // Expected result for the first side, -1 .. 1.
        value: params.reward.normalised(tree.mean_now(node) + f32::from(offset), params.range()),
        proof: bounds.and_then(|bounds| final_bounds(params, bounds, offset)),
        edges: edges.into_iter().map(|edge| explored_edge(context, tree, edge, state, index)).collect(),
    }
}

fn explored_edge<G: Game>(
    context: &Context<'_, G>,
    tree: &Tree,
    edge: Edge,
    state: &G::State,
    index: &dyn Fn(NodeId) -> Option<usize>,
) -> ExploredEdge<G::Move> {
    let params = &tree.params;
    let offset = context.offset(params, state);
    let mv = G::Move::from_code(tree.graph.code(edge));
    let mut below = state.clone();
    context.game.play(&mut below, mv);
    let bounds = params.proves().then(|| tree.graph.edge_bounds(edge));
    let stats = tree.graph.stats(edge);
    ExploredEdge {
        mv,
        visits: u64::from(stats.visits),
        value: value_of(params, stats, bounds, offset).unwrap_or(0.0),
        prior: tree.graph.prior(edge).map(f64::from),
        proof: bounds.and_then(|bounds| final_bounds(params, bounds, offset)),
        to: context.child(tree, edge, &below).and_then(index),
    }
}
