//! The beginning of a search with `root=gumbel`.

use banyan_core::{Game, Limits};

use super::context::Context;
use super::search::Search;
use crate::mcts::tree::Exclusive;
use crate::options::RootSearch;

impl<G: Game> Search<G> {
    /// Draws the moves that the root considers, if the settings have it consider only some.
    pub(crate) fn begin_gumbel(&mut self, context: &Context<'_, G>, limits: &Limits) {
        self.tree.gumbel = None;
        if context.config.root_search != RootSearch::Gumbel || self.tree.is_solved() {
            return;
        }
        let root = self.tree.root;
        if self.tree.graph.lacks_priors(root) {
            self.fetch_priors(context, &mut Exclusive, context.state, root);
        }
        self.tree.root_offset = context.offset(&self.tree.params, context.state);
        self.tree.begin_gumbel(context.config.root_moves, limits);
    }
}
