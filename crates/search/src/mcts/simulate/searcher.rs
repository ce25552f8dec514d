//! A player's search with the memory that it keeps between moves (tree reuse).

use banyan_core::{Game, MoveCode, Rng, Situation, mix};

use super::context::Context;
use super::opponent_model::OpponentModel;
use super::search::Search;
use crate::budget::Budget;
use crate::mcts::evaluators::Parts;
use crate::mcts::tree::{Exclusive, NodeId};
use crate::options::{Config, Reuse};

/// A search, and the position that it searched last.
pub(crate) struct Searcher<G: Game> {
    pub(crate) search: Search<G>,
    /// The position that was searched last; `None` before the first search.
    last: Option<Searched<G>>,
    /// The search of that position, if it is paused.
    pub(crate) paused: Option<Running>,
}

/// A search that has begun, beside its tree.
pub(crate) struct Running {
    pub(crate) budget: Budget,
    /// The share of the last search's visits that it began with.
    pub(crate) reused: f64,
    /// The most visits that its root can get.
    pub(crate) visits_left: u64,
    /// The simulations until the next check.
    pub(crate) stretch: u64,
}

/// The position that was searched last.
struct Searched<G: Game> {
    root: NodeId,
    key: u64,
    start: G::State,
    played: Vec<G::Move>,
}

impl<G: Game> Searcher<G> {
    /// A searcher with an empty tree.
    pub(crate) fn new(config: &Config, parts: Parts<G>, opponent_model: Option<OpponentModel<G>>) -> Searcher<G> {
        Searcher { search: Search::new(config, parts, opponent_model), last: None, paused: None }
    }

    /// Starts a game, all of whose randomness follows from `seed`.
    pub(crate) fn begin(&mut self, seed: u64) {
        self.forget();
        let Search { tree, opponent_model, .. } = &mut self.search;
        tree.rng = Rng::new(seed);
        opponent_model.iter_mut().for_each(|model| model.begin(seed));
    }

    /// The root of the last search, if it was of this position.
    pub(crate) fn root_of(&self, at: &Situation<'_, G>) -> Option<NodeId> {
        let last = self.last.as_ref().filter(|last| last.played == at.played && last.start == *at.start)?;
        Some(last.root)
    }

    /// The root of the last search.
    #[cfg(test)]
    pub(crate) fn root_last_searched(&self) -> NodeId {
        self.last.as_ref().expect("a search has been made").root
    }

    /// Clears the tree and the last position.
    pub(crate) fn forget(&mut self) {
        self.search.forget();
        self.last = None;
        self.paused = None;
    }

    /// Ends a paused search that is not resumed: backs up its pending leaves.
    fn end_paused(&mut self, config: &Config, at: &Situation<'_, G>) {
        if self.paused.take().is_none() {
            return;
        }
        // The graph of a game that began elsewhere is cleared.
        let Some(last) = self.last.as_ref().filter(|last| last.start == *at.start) else { return };
        let mut state = last.start.clone();
        last.played.iter().for_each(|&mv| at.game.play(&mut state, mv));
        self.search.finish(&Context { game: at.game, config, state: &state }, &mut Exclusive);
    }

    /// Sets the root to the node of this position, which is reused or made. Returns the share of the last search's
    /// visits that is reused.
    pub(crate) fn begin_at(&mut self, config: &Config, at: &Situation<'_, G>) -> f64 {
        self.end_paused(config, at);
        let context = Context { game: at.game, config, state: at.state };
        let search = &mut self.search;
        search.opponent_model.iter_mut().for_each(|model| model.begin_search(at));
        search.tree.params = search.params(&context);
        search.tree.playouts = 0;
        search.tree.nodes = 0;
        search.clear_pending();
        let found = if config.reuse == Reuse::Keep { self.find_reusable_node(&context, at) } else { None };
        // A game that began elsewhere may be on another board, whose positions have the same keys.
        let elsewhere = self.last.as_ref().is_some_and(|last| last.start != *at.start);
        let search = &mut self.search;
        if elsewhere {
            search.forget_evaluations();
        }
        if config.reuse == Reuse::None || elsewhere {
            search.tree.clear();
        }
        search.tree.graph.begin_search();
        search.tree.amaf.iter_mut().for_each(|amaf| amaf.begin_search());
        search.begin_evaluations(&context);
        let shared = search.tree.params.shared;
        let key = if shared {
            context.key(&search.tree.params, at.state)
        } else {
            mix(u64::from(search.tree.graph.made) + 1)
        };
        let (root, share) = found.unwrap_or_else(|| {
            let root = search.add_root(&context, key).or_else(|| {
                // No node could be recycled, so all are removed.
                search.tree.clear();
                search.add_root(&context, key)
            });
            (root.expect("an empty graph has room for a root"), 0.0)
        });
        search.tree.root = root;
        if search.tree.params.proves() {
            search.examine_root_moves(&context);
        }
        let key = search.tree.graph.key(root);
        self.last = Some(Searched { root, key, start: at.start.clone(), played: at.played.to_vec() });
        share
    }

    /// The node of this position in the tree of the last search, and the share of visits below it.
    fn find_reusable_node(&self, context: &Context<'_, G>, at: &Situation<'_, G>) -> Option<(NodeId, f64)> {
        let last = self.last.as_ref().filter(|last| last.start == *at.start)?;
        let tree = &self.search.tree;
        let old_is_there = tree.graph.key(last.root) == last.key;
        let by_path = || {
            let since = at.played.strip_prefix(last.played.as_slice())?;
            old_is_there.then(|| self.follow(context, last, since)).flatten()
        };
        let by_key = if tree.params.shared { tree.graph.find(context.key(&tree.params, at.state)) } else { None };
        let node = by_key.or_else(by_path)?;
        let before = if old_is_there { tree.graph.total_visits(last.root) } else { 0 };
        let share = tree.graph.total_visits(node) as f64 / before.max(1) as f64;
        Some((node, share.min(1.0)))
    }

    /// The node that `moves` lead to from the root of the last search.
    fn follow(&self, context: &Context<'_, G>, last: &Searched<G>, moves: &[G::Move]) -> Option<NodeId> {
        let tree = &self.search.tree;
        let mut state = last.start.clone();
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
