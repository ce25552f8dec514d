//! One search and what it was last made from: what is kept from move to move.

use banyan_core::{Evaluator, Game, Rng, Situation, mix};

use super::Config;
use super::choices::Reuse;
use super::graph::NodeId;
use super::search::Search;
use super::task::{Rules, Task};

/// One search and what it was last made from.
pub(super) struct Mind<G: Game> {
    pub(super) search: Search<G>,
    /// The position the graph was last searched from; `None` before the first search.
    memory: Option<Remembered<G>>,
}

/// What was searched last.
struct Remembered<G: Game> {
    root: NodeId,
    key: u64,
    start: G::State,
    played: Vec<G::Move>,
}

impl<G: Game> Mind<G> {
    /// One that knows nothing.
    pub(super) fn new(config: &Config, evaluator: Option<Box<dyn Evaluator<G>>>) -> Mind<G> {
        let policy = evaluator.as_ref().is_some_and(|evaluator| evaluator.gives_policy());
        Mind { search: Search::new(config, Rules::keeps(config, policy), evaluator), memory: None }
    }

    /// A new game begins, all of whose randomness follows from `seed`.
    pub(super) fn begin(&mut self, seed: u64) {
        self.forget();
        self.search.rng = Rng::new(seed);
        self.search.scouts.begin(seed);
        if let Some(evaluator) = &mut self.search.evaluator {
            evaluator.reseed(seed);
        }
    }

    /// The root last searched from, if it was of this position.
    pub(super) fn root_of(&self, at: &Situation<'_, G>) -> Option<NodeId> {
        let old = self.memory.as_ref().filter(|old| old.played == at.played && old.start == *at.start)?;
        Some(old.root)
    }

    /// The root last searched from.
    #[cfg(test)]
    pub(super) fn root_last_searched(&self) -> NodeId {
        self.memory.as_ref().expect("a search has been made").root
    }

    /// Forgets everything that was searched.
    pub(super) fn forget(&mut self) {
        self.search.graph.clear();
        self.search.batch.clear();
        self.search.scouts.forget();
        self.memory = None;
    }

    /// The root for this position, and the share of the last search's visits that it keeps.
    pub(super) fn root(&mut self, config: &Config, at: &Situation<'_, G>, rules: Rules) -> (NodeId, f64) {
        self.search.playouts = 0;
        self.search.nodes = 0;
        self.search.batch.clear();
        let found = if config.reuse == Reuse::Keep { self.find_again(config, at, rules) } else { None };
        // What began elsewhere may be another board, whose positions have the same keys.
        let elsewhere = self.memory.as_ref().is_some_and(|old| old.start != *at.start);
        if elsewhere {
            self.search.scouts.forget();
        }
        if config.reuse == Reuse::None || elsewhere {
            self.search.graph.clear();
        }
        self.search.graph.begin_search();
        let key = if rules.shared { rules.key(at.game, at.state) } else { mix(u64::from(self.search.graph.made) + 1) };
        let task = |root| Task { game: at.game, config, root, state: at.state, rules };
        let (root, share) = found.unwrap_or_else(|| {
            let placeholder = task(NodeId::NONE);
            let root = self.search.add_root(&placeholder, key).or_else(|| {
                // Nothing could be recycled: better to forget all than to have no root.
                self.search.graph.clear();
                self.search.add_root(&placeholder, key)
            });
            (root.expect("an empty graph has room for a root"), 0.0)
        });
        if rules.proves() {
            self.search.look_around(&task(root));
        }
        let key = self.search.graph.key(root);
        self.memory = Some(Remembered { root, key, start: *at.start, played: at.played.to_vec() });
        (root, share)
    }

    /// The node of this position in what the last search left.
    fn find_again(&self, config: &Config, at: &Situation<'_, G>, rules: Rules) -> Option<(NodeId, f64)> {
        let old = self.memory.as_ref().filter(|old| old.start == *at.start)?;
        let graph = &self.search.graph;
        let old_is_there = graph.key(old.root) == old.key;
        let along = || {
            let since = at.played.strip_prefix(old.played.as_slice())?;
            let task = Task { game: at.game, config, root: old.root, state: &old.start, rules };
            old_is_there.then(|| self.follow(&task, since)).flatten()
        };
        let by_key = if rules.shared { graph.find(rules.key(at.game, at.state)) } else { None };
        let node = by_key.or_else(along)?;
        let before = if old_is_there { graph.total_visits(old.root) } else { 0 };
        let share = graph.total_visits(node) as f64 / before.max(1) as f64;
        Some((node, share.min(1.0)))
    }

    /// The node that `moves` lead to from what was searched last, a task whose state is where the game began.
    fn follow(&self, old: &Task<'_, G>, moves: &[G::Move]) -> Option<NodeId> {
        let mut state = *old.state;
        let played = &self.memory.as_ref()?.played;
        played.iter().for_each(|&mv| old.game.play(&mut state, mv));
        let mut node = old.root;
        for &mv in moves {
            let edge = self.search.graph.edges(node).find(|&edge| self.search.graph.mv(edge) == mv)?;
            old.game.play(&mut state, mv);
            node = self.search.child(old, edge, &state)?;
        }
        Some(node)
    }
}
