//! One search and what it was last made from: what is kept from move to move.

use banyan_core::{Game, MoveCode, Rng, Situation, mix};

use super::context::Context;
use super::opponent_model::OpponentModel;
use super::search::Search;
use crate::evaluators::Parts;
use crate::options::{Config, Reuse};
use crate::tree::NodeId;

/// One search and what it was last made from.
pub(crate) struct Searcher<G: Game> {
    pub(crate) search: Search<G>,
    /// The position that was searched last; `None` before the first search.
    last: Option<Searched<G>>,
}

/// What was searched last.
struct Searched<G: Game> {
    root: NodeId,
    key: u64,
    start: G::State,
    played: Vec<G::Move>,
}

impl<G: Game> Searcher<G> {
    /// One that knows nothing yet.
    pub(crate) fn new(config: &Config, parts: Parts<G>, opponent_model: Option<OpponentModel<G>>) -> Searcher<G> {
        Searcher { search: Search::new(config, parts, opponent_model), last: None }
    }

    /// A new game begins, all of whose randomness follows from `seed`.
    pub(crate) fn begin(&mut self, seed: u64) {
        self.forget();
        let Search { tree, opponent_model, .. } = &mut self.search;
        tree.rng = Rng::new(seed);
        opponent_model.iter_mut().for_each(|model| model.begin(seed));
    }

    /// The root last searched from, if it was of this position.
    pub(crate) fn root_of(&self, at: &Situation<'_, G>) -> Option<NodeId> {
        let last = self.last.as_ref().filter(|last| last.played == at.played && last.start == *at.start)?;
        Some(last.root)
    }

    /// The root last searched from.
    #[cfg(test)]
    pub(crate) fn root_last_searched(&self) -> NodeId {
        self.last.as_ref().expect("a search has been made").root
    }

    /// Forgets everything that was searched.
    pub(crate) fn forget(&mut self) {
        self.search.forget();
        self.last = None;
    }

    /// Begins at this position: finds or makes its node. Returns the share of the last search's visits that it keeps.
    pub(crate) fn begin_at(&mut self, config: &Config, at: &Situation<'_, G>) -> f64 {
        let context = Context { game: at.game, config, state: at.state };
        let search = &mut self.search;
        search.tree.params = search.params(&context);
        search.tree.playouts = 0;
        search.tree.nodes = 0;
        search.clear_pending();
        let found = if config.reuse == Reuse::Keep { self.find_reusable_node(&context, at) } else { None };
        // What began elsewhere may be another board, whose positions have the same keys.
        let elsewhere = self.last.as_ref().is_some_and(|last| last.start != *at.start);
        let search = &mut self.search;
        if elsewhere {
            search.forget_evaluations();
        }
        if config.reuse == Reuse::None || elsewhere {
            search.tree.graph.clear();
        }
        search.tree.graph.begin_search();
        let shared = search.tree.params.shared;
        let key = if shared {
            context.key(&search.tree.params, at.state)
        } else {
            mix(u64::from(search.tree.graph.made) + 1)
        };
        let (root, share) = found.unwrap_or_else(|| {
            let root = search.add_root(&context, key).or_else(|| {
                // Nothing could be recycled: better to forget all than to have no root.
                search.tree.graph.clear();
                search.add_root(&context, key)
            });
            (root.expect("an empty graph has room for a root"), 0.0)
        });
        search.tree.root = root;
        if search.tree.params.proves() {
            search.examine_root_moves(&context);
        }
        let key = search.tree.graph.key(root);
        self.last = Some(Searched { root, key, start: *at.start, played: at.played.to_vec() });
        share
    }

    /// The node of this position in what the last search left.
    fn find_reusable_node(&self, context: &Context<'_, G>, at: &Situation<'_, G>) -> Option<(NodeId, f64)> {
        let last = self.last.as_ref().filter(|last| last.start == *at.start)?;
        let tree = &self.search.tree;
        let old_is_there = tree.graph.key(last.root) == last.key;
        let along = || {
            let since = at.played.strip_prefix(last.played.as_slice())?;
            old_is_there.then(|| self.follow(context, last, since)).flatten()
        };
        let by_key = if tree.params.shared { tree.graph.find(context.key(&tree.params, at.state)) } else { None };
        let node = by_key.or_else(along)?;
        let before = if old_is_there { tree.graph.total_visits(last.root) } else { 0 };
        let share = tree.graph.total_visits(node) as f64 / before.max(1) as f64;
        Some((node, share.min(1.0)))
    }

    /// The node that `moves` lead to from what was searched last.
    fn follow(&self, context: &Context<'_, G>, last: &Searched<G>, moves: &[G::Move]) -> Option<NodeId> {
        let tree = &self.search.tree;
        let mut state = last.start;
        last.played.iter().for_each(|&mv| context.game.play(&mut state, mv));
        let mut node = last.root;
        for &mv in moves {
            let edge = tree.graph.edges(node).find(|&edge| tree.graph.code(edge) == mv.code())?;
            context.game.play(&mut state, mv);
            node = context.child(tree, edge, &state)?;
        }
        Some(node)
    }
}
