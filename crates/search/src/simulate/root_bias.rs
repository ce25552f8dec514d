//! The root's move that a shallow alpha-beta search prefers, whose score is raised.

use banyan_core::{Game, MoveCode};

use super::context::Context;
use super::search::Search;

impl<G: Game> Search<G> {
    /// Finds the root's move that gets a bonus, if it is to have one. The look ahead ends after some 30,000 positions at
    /// the last finished depth, whatever the budget.
    pub(crate) fn find_preferred_move(&mut self, context: &Context<'_, G>) {
        let Context { game, config, state } = *context;
        let root = self.tree.root;
        let young =
            game.phase(state) < config.root_bias_until && !self.tree.is_solved() && self.tree.graph.len(root) > 1;
        let lookahead = self.root_bias.as_mut().filter(|_| young);
        self.tree.preferred = lookahead.map(|lookahead| lookahead.look(game, state).best.code());
    }
}
