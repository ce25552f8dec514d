//! Learning from the moves of simulations: all moves as first, and playouts that learn.

use banyan_core::{Game, MoveCode, SimulatedMove};

use super::context::Context;
use super::search::Search;
use super::simulated::Simulated;
use crate::mcts::tree::NodeId;

impl<G: Game> Search<G> {
    /// Learns from the positions of the group from number `at` on, of which `evaluated` before it were evaluated: the position at the end of
    /// the path, or all children of the `node` there. Returns how many positions of the group are evaluated up to the last of them.
    pub(super) fn learn_from_group(
        &mut self,
        context: &Context<'_, G>,
        (at, mut evaluated): (usize, usize),
        node: Option<NodeId>,
    ) -> usize {
        let len = node.map_or(1, |node| self.tree.graph.len(node));
        for child in 0..len {
            let end = node.map(|node| (node, self.tree.graph.codes(node)[child]));
            let played = self.group.positions[at + child].1.is_none().then_some(evaluated);
            evaluated += usize::from(played.is_some());
            self.learn(context, end, played, self.group.values[at + child].1.value);
        }
        evaluated
    }

    /// Learns from a simulation: the path, the move of the node at its end that is given, if any, and the moves of a playout of the group.
    /// `value` is that of the position before the playout.
    pub(super) fn learn(
        &mut self,
        context: &Context<'_, G>,
        end: Option<(NodeId, u16)>,
        played: Option<usize>,
        value: f32,
    ) {
        let Search { tree, simulated, knowledge, evaluator, .. } = self;
        let Simulated { played: lists, nodes, moves, .. } = simulated;
        let mut state = context.state.clone();
        nodes.clear();
        moves.clear();
        let mut play = |mv: G::Move, state: &mut G::State| {
            moves.push(SimulatedMove::of(context.game, &**knowledge, state, mv));
            context.game.play(state, mv);
        };
        let path = tree.path.iter().map(|step| (step.edge.node, tree.graph.code(step.edge)));
        for (node, code) in path.chain(end) {
            nodes.push((node, tree.graph.key(node)));
            play(G::Move::from_code(code), &mut state);
        }
        let offset = context.offset(&tree.params, &state);
        let of_playout = played.map_or(&[][..], |i| &lists[i]);
        of_playout.iter().for_each(|&mv| play(mv, &mut state));
        if let Some(amaf) = &mut tree.amaf {
            amaf.learn(nodes, moves, value);
        }
        if let Some(learner) = evaluator.learner() {
            learner.learn(moves, tree.params.share_of_result(value + f32::from(offset)));
        }
    }
}

#[cfg(test)]
mod tests;
