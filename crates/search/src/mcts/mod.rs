//! The Monte Carlo search: in a tree or a graph, with proofs and a memory cap, composed from the named choices of a
//! [`Config`].

mod backup;
mod batch;
mod bounds;
mod choices;
mod choose;
mod config;
mod descend;
mod edge;
mod evaluate;
mod explore;
mod graph;
mod guess;
mod layout;
mod node;
mod outcome;
mod recycle;
mod root;
mod schedule;
mod scouts;
mod search;
mod select;
mod table;
mod task;
#[cfg(test)]
mod tests;
mod ties;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use banyan_core::{Evaluator, Explored, Fault, Flow, Game, Limits, Player, Report, Rng, Situation, Watch, mix};

use crate::budget::Budget;
use graph::NodeId;
use search::Search;
use task::{Rules, Task};

pub use choices::{
    EarlyStop, Evaluation, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, Lazily, LeafValue, Model, Proof,
    Reuse, Reward, Scale, Selection, StartValue, Structure, TieBreak,
};
pub use config::Config;
pub use guess::HeuristicEvaluator;
pub use schedule::Schedule;

/// A search ends, whatever its budget, when its root has so many visits: counts stay below 2^31, where scores are taken
/// from signed numbers. That is some 20 minutes of the fastest game; by then nothing changes any more.
const MOST_VISITS: u64 = (1 << 31) - (1 << 16);

/// Progress is reported this often.
const PROGRESS_EVERY: Duration = Duration::from_millis(50);

/// Monte Carlo search in a tree or a graph, with one playout per leaf or an [`Evaluator`].
pub struct Mcts<G: Game> {
    config: Config,
    search: Search<G>,
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

impl<G: Game> Mcts<G> {
    /// A search composed as `config` says, seeded with 0 until a game begins. What is out of its range is brought into it.
    pub fn new(config: Config) -> Mcts<G> {
        Mcts::compose(config, None)
    }

    /// The same, its leaves being valued by `evaluator`; children are then tried one at a time, whatever `expand` says.
    pub fn with_evaluator(config: Config, evaluator: Box<dyn Evaluator<G>>) -> Mcts<G> {
        Mcts::compose(config, Some(evaluator))
    }

    fn compose(config: Config, evaluator: Option<Box<dyn Evaluator<G>>>) -> Mcts<G> {
        let config = config.in_range();
        let policy = evaluator.as_ref().is_some_and(|evaluator| evaluator.gives_policy());
        let search = Search::new(&config, Rules::keeps(&config, policy), evaluator);
        Mcts { config, search, memory: None }
    }

    /// What the search is composed from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Searches until the budget is spent.
    fn search(&mut self, at: &Situation<'_, G>, limits: &Limits, watch: &mut dyn Watch<G::Move>) -> Report<G::Move> {
        let game = at.game;
        let plies_left = game.max_plies().saturating_sub(game.ply(at.state));
        let early = self.config.early_stop();
        let mut budget = Budget::start(limits, plies_left, early);
        let rules = Rules::new(game, &self.config);
        let (root, reused) = self.root(at, rules);
        let Mcts { config, search, .. } = self;
        let task = || Task { game, config, root, state: at.state, rules };
        let plain = Rules::are_plain(config) && search.evaluator.is_none() && search.scouts.favoured().is_none();
        let mut last_told = Instant::now();
        // However small the budget, one playout is made where the root is not decided at sight, so that there is a best
        // move.
        let mut stretch = 1;
        let room = MOST_VISITS.saturating_sub(search.graph.total_visits(root));
        while !search.graph.is_settled(root) {
            let left = budget.playouts_left(search.spent(), search.nodes);
            let most_playouts = left.min(room.saturating_sub(search.spent())).max(1);
            search.run(task(), stretch, most_playouts, plain);
            let Some(next) = budget.next_stretch(search.spent(), search.nodes, || search.standing(&task())) else {
                break;
            };
            stretch = next.min(room.saturating_sub(search.spent()));
            let forced = limits.clock.is_some() && config.early != EarlyStop::Never && search.graph.len(root) == 1;
            if stretch == 0 || forced || watch.stopped() {
                break;
            }
            if limits.time.is_some() || limits.clock.is_some() {
                // Leaves that wait are not paid for yet.
                search.finish(task());
            }
            if last_told.elapsed() >= PROGRESS_EVERY {
                last_told = Instant::now();
                if watch.progress(&search.report(&task(), reused, budget.elapsed())) == Flow::Stop {
                    break;
                }
            }
        }
        search.finish(task());
        search.report(&task(), reused, budget.elapsed())
    }

    /// Forgets everything that was searched.
    fn forget(&mut self) {
        self.search.graph.clear();
        self.search.batch.clear();
        self.search.scouts.forget();
        self.memory = None;
    }

    /// The root for this position, and the share of the last search's visits that it keeps.
    fn root(&mut self, at: &Situation<'_, G>, rules: Rules) -> (NodeId, f64) {
        self.search.playouts = 0;
        self.search.nodes = 0;
        self.search.batch.clear();
        let found = if self.config.reuse == Reuse::Keep { self.find_again(at, rules) } else { None };
        // What began elsewhere may be another board, whose positions have the same keys.
        let elsewhere = self.memory.as_ref().is_some_and(|old| old.start != *at.start);
        if elsewhere {
            self.search.scouts.forget();
        }
        if self.config.reuse == Reuse::None || elsewhere {
            self.search.graph.clear();
        }
        self.search.graph.begin_search();
        let key = if rules.shared { rules.key(at.game, at.state) } else { mix(u64::from(self.search.graph.made) + 1) };
        let task = |root| Task { game: at.game, config: &self.config, root, state: at.state, rules };
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
        self.search.favour(&task(root));
        let key = self.search.graph.key(root);
        self.memory = Some(Remembered { root, key, start: *at.start, played: at.played.to_vec() });
        (root, share)
    }

    /// The node of this position in what the last search left.
    fn find_again(&self, at: &Situation<'_, G>, rules: Rules) -> Option<(NodeId, f64)> {
        let old = self.memory.as_ref().filter(|old| old.start == *at.start)?;
        let graph = &self.search.graph;
        let old_is_there = graph.key(old.root) == old.key;
        let along = || {
            let since = at.played.strip_prefix(old.played.as_slice())?;
            old_is_there.then(|| self.follow(at, old, since, rules)).flatten()
        };
        let by_key = if rules.shared { graph.find(rules.key(at.game, at.state)) } else { None };
        let node = by_key.or_else(along)?;
        let before = if old_is_there { graph.total_visits(old.root) } else { 0 };
        let share = graph.total_visits(node) as f64 / before.max(1) as f64;
        Some((node, share.min(1.0)))
    }

    /// The node that `moves` lead to from what was searched last.
    fn follow(&self, at: &Situation<'_, G>, old: &Remembered<G>, moves: &[G::Move], rules: Rules) -> Option<NodeId> {
        let Mcts { config, search, .. } = self;
        let mut state = old.start;
        old.played.iter().for_each(|&mv| at.game.play(&mut state, mv));
        let task = Task { game: at.game, config, root: old.root, state: at.state, rules };
        let mut node = old.root;
        for &mv in moves {
            let edge = search.graph.edges(node).find(|&edge| search.graph.mv(edge) == mv)?;
            at.game.play(&mut state, mv);
            node = search.child(&task, edge, &state)?;
        }
        Some(node)
    }
}

impl<G: Game> Player<G> for Mcts<G> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        watch: &mut dyn Watch<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.search(at, limits, watch)));
        outcome.map_err(|panic| {
            // Whatever was being written is in no state to go on with.
            self.forget();
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            Fault::Panicked(text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default())
        })
    }

    fn new_game(&mut self, seed: u64) {
        self.forget();
        self.search.rng = Rng::new(seed);
        self.search.scouts.begin(seed);
        if let Some(evaluator) = &mut self.search.evaluator {
            evaluator.reseed(seed);
        }
    }

    fn explored(&self, at: &Situation<'_, G>, most_nodes: usize) -> Option<Explored<G::Move>> {
        let old = self.memory.as_ref().filter(|old| old.played == at.played && old.start == *at.start)?;
        let rules = Rules::new(at.game, &self.config);
        let task = Task { game: at.game, config: &self.config, root: old.root, state: at.state, rules };
        Some(self.search.explored(&task, most_nodes))
    }
}
