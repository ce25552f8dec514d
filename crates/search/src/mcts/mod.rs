//! The Monte Carlo search: in a tree or a graph, with proofs and a memory cap, composed from the named choices of a
//! [`Config`].

mod backup;
mod batch;
mod bounds;
mod choices;
mod choose;
mod common;
mod company;
mod config;
mod descend;
mod edge;
mod evaluate;
mod explore;
mod graph;
mod guess;
mod layout;
mod lines;
mod mind;
mod node;
mod outcome;
mod playouts;
mod priors;
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
mod threads;
mod ties;
mod together;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use banyan_core::{Evaluator, Explored, Fault, Flow, Game, Limits, Player, Report, Situation, Watch, mix};

use crate::budget::Budget;
use crate::panicked::fault;
use mind::Mind;
use task::{Rules, Task};

pub use choices::{
    EarlyStop, Evaluation, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, Lazily, LeafValue, Model, Policy,
    Proof, Reuse, Reward, Scale, Scheme, Selection, StartValue, Structure, TieBreak,
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
    /// The search itself, and one more for each further thread that has a graph or makes playouts of its own.
    minds: Vec<Mind<G>>,
}

impl<G: Game> Mcts<G> {
    /// A search composed as `config` says, seeded with 0 until a game begins. What is out of its range is brought into it.
    pub fn new(config: Config) -> Mcts<G> {
        let config = config.in_range();
        let minds = (0..config.n_minds()).map(|number| Mind::new(&config.share(number), None)).collect();
        Mcts { config, minds }.seeded()
    }

    /// The same, its leaves being valued by `evaluator`; children are then tried one at a time, whatever `expand` says.
    ///
    /// # Panics
    /// With more than one thread: an evaluator answers one at a time. [`Config::check_with_evaluator`] says so in words.
    pub fn with_evaluator(config: Config, evaluator: Box<dyn Evaluator<G>>) -> Mcts<G> {
        let config = config.in_range();
        if let Err(refused) = config.check_with_evaluator() {
            panic!("{refused}");
        }
        let minds = vec![Mind::new(&config, Some(evaluator))];
        Mcts { config, minds }
    }

    /// With random numbers of its own for every thread.
    fn seeded(mut self) -> Mcts<G> {
        let others = self.minds.iter_mut().zip(0..).skip(1);
        others.for_each(|(mind, number)| mind.begin(thread_seed(0, number)));
        self
    }

    /// What the search is composed from.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Searches until the budget is spent.
    fn search(&mut self, at: &Situation<'_, G>, limits: &Limits, watch: &mut dyn Watch<G::Move>) -> Report<G::Move> {
        let Mcts { config, minds } = self;
        match config.scheme {
            _ if config.threads == 1 => search_alone(config, &mut minds[0], at, limits, watch),
            Scheme::Root => threads::root::search(config, minds, at, limits, watch),
            Scheme::Mutex => threads::mutex::search(config, minds, at, limits, watch),
            Scheme::Shared => threads::shared::search(config, minds, at, limits, watch),
            Scheme::Leaf => threads::leaf::search(config, minds, at, limits, watch),
        }
    }
}

/// Searches on the calling thread alone until the budget is spent.
fn search_alone<G: Game>(
    config: &Config,
    mind: &mut Mind<G>,
    at: &Situation<'_, G>,
    limits: &Limits,
    watch: &mut dyn Watch<G::Move>,
) -> Report<G::Move> {
    let game = at.game;
    let plies_left = game.max_plies().saturating_sub(game.ply(at.state));
    let mut budget = Budget::start(limits, plies_left, config.early_stop());
    let rules = Rules::new(game, config);
    let (root, reused) = mind.root(config, at, rules);
    let search = &mut mind.search;
    let task = || Task { game, config, root, state: at.state, rules };
    search.favour(&task());
    let plain = search.is_plain(config);
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

/// Where the random numbers of a thread begin: those of the first are the search's own.
fn thread_seed(seed: u64, number: u64) -> u64 {
    if number == 0 { seed } else { mix(seed ^ mix(number)) }
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
            self.minds.iter_mut().for_each(Mind::forget);
            fault(&*panic)
        })
    }

    fn new_game(&mut self, seed: u64) {
        self.minds.iter_mut().zip(0..).for_each(|(mind, number)| mind.begin(thread_seed(seed, number)));
    }

    /// With a graph for every thread, the first one's.
    fn explored(&self, at: &Situation<'_, G>, most_nodes: usize) -> Option<Explored<G::Move>> {
        let mind = &self.minds[0];
        let root = mind.root_of(at)?;
        let rules = Rules::new(at.game, &self.config);
        let task = Task { game: at.game, config: &self.config, root, state: at.state, rules };
        Some(mind.search.explored(&task, most_nodes))
    }
}
