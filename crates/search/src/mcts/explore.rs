//! The top of a graph as plain structs, for pictures and files.

use std::collections::BinaryHeap;

use banyan_core::{Bounds, Explored, ExploredEdge, ExploredNode, Game};

use super::bounds::Packed;
use super::graph::{Edge, NodeId};
use super::search::Search;
use super::task::Task;

/// A node to be written, with its position.
struct Reached<G: Game> {
    node: NodeId,
    state: G::State,
    visits: u64,
}

impl<G: Game> Search<G> {
    /// The most visited nodes that can be reached from the root, at most `most_nodes` and the root at least.
    pub(super) fn explored(&self, task: &Task<'_, G>, most_nodes: usize) -> Explored<G::Move> {
        let nodes = self.most_visited(task, most_nodes.max(1));
        let index = |id: NodeId| nodes.iter().position(|reached| reached.node == id);
        Explored { nodes: nodes.iter().map(|reached| self.explored_node(task, reached, &index)).collect() }
    }

    /// The root and, after it, the most visited nodes that hang on nodes before them, most visited first.
    fn most_visited(&self, task: &Task<'_, G>, most_nodes: usize) -> Vec<Reached<G>> {
        let reached = |node, state| Reached { node, state, visits: self.graph.total_visits(node) };
        let mut nodes = vec![reached(task.root, *task.state)];
        // Candidates by visits; of equals the one found first.
        let mut heap: BinaryHeap<(u64, std::cmp::Reverse<usize>)> = BinaryHeap::new();
        let mut found: Vec<Reached<G>> = Vec::new();
        let mut next = 0;
        loop {
            let Reached { node, state, .. } = nodes[next];
            for edge in self.graph.edges(node) {
                let mut below = state;
                task.game.play(&mut below, self.graph.mv(edge));
                let Some(child) = self.child(task, edge, &below) else { continue };
                if nodes.iter().chain(&found).all(|reached| reached.node != child) {
                    found.push(reached(child, below));
                    heap.push((found[found.len() - 1].visits, std::cmp::Reverse(found.len() - 1)));
                }
            }
            next = nodes.len();
            let Some((visits, std::cmp::Reverse(i))) = heap.pop().filter(|_| next < most_nodes) else { break };
            nodes.push(Reached { node: found[i].node, state: found[i].state, visits });
        }
        nodes[1..].sort_by_key(|reached| std::cmp::Reverse(reached.visits));
        nodes
    }

    fn explored_node(
        &self,
        task: &Task<'_, G>,
        reached: &Reached<G>,
        index: &dyn Fn(NodeId) -> Option<usize>,
    ) -> ExploredNode<G::Move> {
        let Task { game, rules, .. } = *task;
        let Reached { node, state, visits } = *reached;
        let offset = rules.offset(game, &state);
        let mut edges: Vec<Edge> = self.graph.edges(node).collect();
        edges.sort_by_key(|&edge| std::cmp::Reverse(self.graph.tally(edge).visits));
        ExploredNode {
            to_move: game.to_move(&state),
            visits,
            value: self.node_value(task, node, offset),
            proof: rules
                .proves()
                .then(|| self.graph.bounds(node))
                .and_then(|bounds| final_bounds(task, bounds, offset)),
            edges: edges.into_iter().map(|edge| self.explored_edge(task, edge, &state, index)).collect(),
        }
    }

    fn explored_edge(
        &self,
        task: &Task<'_, G>,
        edge: Edge,
        state: &G::State,
        index: &dyn Fn(NodeId) -> Option<usize>,
    ) -> ExploredEdge<G::Move> {
        let Task { game, rules, .. } = *task;
        let offset = rules.offset(game, state);
        let mut below = *state;
        game.play(&mut below, self.graph.mv(edge));
        let bounds = rules.proves().then(|| self.graph.edge_bounds(edge));
        ExploredEdge {
            mv: self.graph.mv(edge),
            visits: u64::from(self.graph.tally(edge).visits),
            value: self.edge_value(task, edge, offset).unwrap_or(0.0),
            prior: self.graph.prior(edge).map(f64::from),
            proof: bounds.and_then(|bounds| final_bounds(task, bounds, offset)),
            to: self.child(task, edge, &below).and_then(index),
        }
    }

    /// Expected result of a node for the first side, -1 .. 1.
    fn node_value(&self, task: &Task<'_, G>, node: NodeId, offset: i16) -> f64 {
        let rules = task.rules;
        let mean = self.mean_now(&rules, node);
        rules.reward.normalised(mean + f32::from(offset), task.game.margin_range())
    }
}

/// Bounds of the final margin, counted from `offset`, if they say more than the game's range.
pub(super) fn final_bounds<G: Game>(task: &Task<'_, G>, bounds: Packed, offset: i16) -> Option<Bounds> {
    let range = task.game.margin_range();
    let known = bounds.unpacked(offset);
    let bounds = Bounds::new(known.lower.max(range.lower), known.upper.min(range.upper));
    (bounds != range).then_some(bounds)
}
