//! Static evaluations of the children of new nodes.

use banyan_core::{Game, MoveCode};

use super::context::Context;
use super::search::Search;
use crate::mcts::tree::NodeId;

impl<G: Game> Search<G> {
    /// Evaluates the children of a new node statically, finished games by their results, if the settings use it.
    #[inline(never)]
    pub(super) fn add_heuristics(&mut self, context: &Context<'_, G>, state: &G::State, node: NodeId, offset: i16) {
        let Search { tree, knowledge, heuristics, .. } = self;
        heuristics.clear();
        for &code in tree.graph.codes(node) {
            let mut next = state.clone();
            context.game.play(&mut next, G::Move::from_code(code));
            let reward = match context.game.result(&next) {
                Some(margin) => tree.params.reward.of(margin),
                None => tree.params.expected_reward(knowledge.static_eval(context.game, &next)),
            };
            heuristics.push(reward - if tree.params.linear { f32::from(offset) } else { 0.0 });
        }
        tree.set_heuristics(node, context.game.to_move(state), |index| heuristics[index]);
    }
}
