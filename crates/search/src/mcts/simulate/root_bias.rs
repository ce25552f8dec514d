//! Root bias: the root move that a shallow alpha-beta search prefers gets a bonus.

use banyan_core::{Game, MoveCode};

use super::context::Context;
use super::search::Search;
use crate::options::RootBiasAt;

impl<G: Game> Search<G> {
    /// Finds the root move that gets the bonus, if any. The search ends after some 30,000 positions with the last
    /// finished depth, whatever the limits.
    pub(crate) fn find_preferred_move(&mut self, context: &Context<'_, G>) {
        let Context { game, config, state } = *context;
        let root = self.tree.root;
        let in_phase =
            game.phase(state) < config.root_bias_until && !self.tree.is_solved() && self.tree.graph.len(root) > 1;
        let lookahead = self.root_bias.as_mut().filter(|_| in_phase);
        self.tree.preferred = lookahead.map(|lookahead| lookahead.search(game, state).best.code());
    }

    /// The bonus of the leaf at the end of the path, seen by the first side, if the last move of a simulation decides on the bonus;
    /// otherwise 0.
    pub(super) fn leaf_bias(&self, context: &Context<'_, G>, leaf: &G::State) -> f32 {
        let Context { game, config, state } = *context;
        let Some(preferred) = self.tree.preferred else { return 0.0 };
        let counts = match config.root_bias_at {
            RootBiasAt::Root => false,
            RootBiasAt::Child => self.tree.path.len() == 1,
            RootBiasAt::Leaves => true,
        };
        let reached = || self.tree.graph.code(self.tree.last().edge) == preferred;
        if counts && reached() && game.phase(leaf) < config.root_bias_until {
            config.root_bias * f32::from(game.to_move(state).sign())
        } else {
            0.0
        }
    }
}
