//! The Monte Carlo player: tree or graph search on one or several threads.

use std::panic::{AssertUnwindSafe, catch_unwind};

use banyan_core::{
    Evaluator, Explored, Fault, Game, Limits, Plain, PlaneEvaluator, Player, Priors, Report, SearchObserver, Situation,
    TextError, TextErrorKind, mix,
};

use crate::alpha_beta::Lookahead;
use crate::greedy::Greedy;
use crate::kit::Kit;
use crate::mcts::evaluators::{Parts, PlaneLeaves, leaf_evaluator};
use crate::mcts::simulate::{Context, OpponentModel, Searcher};
use crate::mcts::{one_thread, parallel, report};
use crate::options::{Amaf, Config, ModelPlayer, Parallel, Reward, Selection};
use crate::panicked::fault;

/// Playouts of a UCT opponent model for each unit of its budget.
const PLAYOUTS_PER_UNIT: u64 = 100;

/// Monte Carlo search in a tree or a graph; an [`Evaluator`] values its leaves.
///
/// ```
/// # use banyan_testkit::chain::Chain;
/// use banyan_core::{Game, Limits, Player};
/// use banyan_search::{Config, Mcts};
///
/// // Players take one to three tokens; the last one wins.
/// let game = Chain { tokens: 10, extra_turn_at: None };
/// let mut player = Mcts::new(Config::default())?;
/// let report = player.analyse(&game, &game.start(), &Limits::playouts(10_000))?;
/// assert_eq!((report.best, report.win_rate()), (2, 1.0)); // a proven win: eight are left
///
/// // Without proofs and knowledge, as in the literature.
/// let mut uct = Mcts::new(Config::uct())?;
/// let report = uct.analyse(&game, &game.start(), &Limits::playouts(10_000))?;
/// assert!(report.best == 2 && report.moves.len() == 3 && report.win_rate() > 0.7, "{report:?}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Mcts<G: Game> {
    pub(crate) config: Config,
    /// The search of the first thread, then one for each further thread that has its own graph or evaluates leaves.
    pub(crate) searchers: Vec<Searcher<G>>,
}

impl<G: Game> Mcts<G> {
    /// A search without game knowledge beyond the rules, composed according to `config`. Its seed is 0 until a game begins.
    ///
    /// # Errors
    /// A setting out of its range, settings that exclude each other, or an evaluator or priors that the game does not
    /// have.
    pub fn new(config: Config) -> Result<Mcts<G>, TextError> {
        Mcts::with_kit(config, &Plain)
    }

    /// A search with the game knowledge of a kit, composed according to `config`.
    ///
    /// # Errors
    /// Those of [`new`](Mcts::new).
    pub fn with_kit(config: Config, kit: &impl Kit<G>) -> Result<Mcts<G>, TextError> {
        config.check()?;
        let leaves = leaf_evaluator(&config, kit)?;
        Mcts::with_leaves(config, leaves, true, kit)
    }

    /// A search with leaves valued by `evaluator` instead of the setting `eval`; each further thread gets a fork of
    /// it. All other game knowledge comes from the kit.
    ///
    /// ```
    /// # use banyan_core::{Evaluator, Rng};
    /// # use banyan_testkit::chain::Chain;
    /// use banyan_core::{Game, Leaves, Limits, Plain, Player};
    /// use banyan_search::{Config, Mcts};
    ///
    /// struct MultiplesOfFour;
    ///
    /// impl Evaluator<Chain> for MultiplesOfFour {
    ///     fn evaluate(&mut self, game: &Chain, leaves: &mut Leaves<'_, Chain>, _rng: &mut Rng) {
    ///         for (i, state) in leaves.states().iter().enumerate() {
    ///             let value = if state.tokens % 4 == 0 { -1.0 } else { 1.0 };
    ///             leaves.set_value(i, value * f32::from(game.to_move(state).sign()));
    ///         }
    ///     }
    ///     fn fork(&self, _thread: u32) -> Box<dyn Evaluator<Chain>> {
    ///         Box::new(MultiplesOfFour)
    ///     }
    /// }
    ///
    /// let game = Chain { tokens: 1002, extra_turn_at: None };
    /// let config: Config = "reward=wdl".parse()?; // values from -1 to 1
    /// let mut player = Mcts::with_evaluator(config, Box::new(MultiplesOfFour), &Plain)?;
    /// let report = player.analyse(&game, &game.start(), &Limits::playouts(1000))?;
    /// assert_eq!(report.best, 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`new`](Mcts::new), and priors that the other settings cannot use.
    pub fn with_evaluator(
        config: Config,
        evaluator: Box<dyn Evaluator<G>>,
        kit: &impl Kit<G>,
    ) -> Result<Mcts<G>, TextError> {
        config.check()?;
        Mcts::with_leaves(config, evaluator, false, kit)
    }

    /// A search with leaves valued by an evaluator from outside, which reads the [planes](Kit::planes) of the game, instead of the
    /// setting `eval`. Its values are results, so that the reward must be one: `win` or `wdl`. Its priors, if it gives any, are read by
    /// `select=puct`.
    ///
    /// # Errors
    /// Those of [`with_evaluator`](Mcts::with_evaluator), a game without planes, another reward, priors without `select=puct`, and
    /// settings by which leaves get other values: `horizon` and `leaf-search-depth`.
    pub fn with_planes(
        config: Config,
        game: &G,
        outside: Box<dyn PlaneEvaluator>,
        kit: &impl Kit<G>,
    ) -> Result<Mcts<G>, TextError> {
        config.check()?;
        let refused = |found: String, expected: &str, remedy: &str| {
            Err(TextError::new(found, format!("expected {expected}"), remedy).of_kind(TextErrorKind::Conflict))
        };
        if !matches!(config.reward, Reward::Win | Reward::Wdl) {
            let needed = "a result as the reward, since values from outside are results";
            return refused(format!("reward={}", config.reward.word()), needed, "try reward=wdl");
        }
        if config.score_bonus > 0.0 {
            let found = format!("score-bonus={}", config.score_bonus);
            return refused(found, "0 with it, since values from outside have no margin", "leave score-bonus out");
        }
        if outside.gives_priors() && config.selection != Selection::Puct {
            let found = format!("select={}", config.selection.word());
            return refused(found, "select=puct, which reads the priors from outside", "add select=puct");
        }
        if config.horizon > 0 || config.leaf_search_depth > 0 {
            let found = format!("horizon={},leaf-search-depth={}", config.horizon, config.leaf_search_depth);
            return refused(found, "0 for both, since leaves get their values from outside", "leave both out");
        }
        let planes = kit.planes(game).ok_or_else(|| {
            let expected = "expected a game whose positions are planes too";
            TextError::new("an evaluator from outside", expected, "choose another game")
                .of_kind(TextErrorKind::Unsupported)
        })?;
        let leaves = PlaneLeaves::new(planes.into(), outside, config.reward);
        Mcts::with_leaves(config, Box::new(leaves), false, kit)
    }

    /// `by_setting`: the leaves are valued by the setting `eval`.
    fn with_leaves(
        config: Config,
        mut leaves: Box<dyn Evaluator<G>>,
        by_setting: bool,
        kit: &impl Kit<G>,
    ) -> Result<Mcts<G>, TextError> {
        check_priors(&config, leaves.gives_priors())?;
        let learns = leaves.learner().is_some();
        let mut parts = Parts::new(&config, leaves, by_setting, kit)?;
        check_learning(&config, learns, &mut parts[0])?;
        Mcts::of_parts(config, parts, kit)
    }

    /// One searcher for each of the parts.
    fn of_parts(config: Config, parts: Vec<Parts<G>>, kit: &impl Kit<G>) -> Result<Mcts<G>, TextError> {
        let searcher = |(parts, number)| {
            let model = opponent_model(&config, kit)?;
            Ok(Searcher::new(&config.share(number), parts, model))
        };
        let searchers = parts.into_iter().zip(0..).map(searcher).collect::<Result<_, TextError>>()?;
        Ok(Mcts { config, searchers }.seeded())
    }

    /// Gives every thread its own random numbers.
    fn seeded(mut self) -> Mcts<G> {
        let further = self.searchers.iter_mut().zip(0..).skip(1);
        further.for_each(|(searcher, number)| searcher.begin(thread_seed(0, number)));
        self
    }

    /// Makes `player` the opponent model, for the setting `opponent-model=player`; it has `limits` for each reply. Its time
    /// and playouts count as those of the search.
    #[must_use]
    pub fn with_opponent_model(mut self, player: Box<dyn Player<G>>, limits: Limits) -> Mcts<G> {
        self.searchers[0].search.opponent_model = Some(OpponentModel::in_game(player, limits));
        self
    }

    /// The settings of the search.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Searches until a stop condition holds.
    fn search(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Report<G::Move> {
        let Mcts { config, searchers } = self;
        match config.parallel {
            _ if config.threads == 1 => one_thread::search(config, &mut searchers[0], at, limits, observer),
            Parallel::Root => parallel::root::search(config, searchers, at, limits, observer),
            Parallel::Mutex => parallel::mutex::search(config, searchers, at, limits, observer),
            Parallel::Tree => parallel::shared::search(config, searchers, at, limits, observer),
        }
    }

    /// The result of a search; a panic is a fault of the player.
    fn caught<T>(&mut self, search: impl FnOnce(&mut Self) -> T) -> Result<T, Fault> {
        catch_unwind(AssertUnwindSafe(|| search(self))).map_err(|panic| {
            // The panic may have left the graph half written.
            self.searchers.iter_mut().for_each(Searcher::forget);
            fault(&*panic)
        })
    }
}

/// Checks that the other settings can use the priors of an evaluator.
///
/// # Errors
/// Threads that share a graph do not evaluate leaves as they expand them, or a wrapper hides the priors.
fn check_priors(config: &Config, priors: Priors) -> Result<(), TextError> {
    let shares_graph = config.threads > 1 && config.parallel != Parallel::Root;
    let refused = |found: String, remedy: &str| {
        let expected = "expected an evaluator that gives no priors with it";
        Err(TextError::new(found, expected, remedy).of_kind(TextErrorKind::Conflict))
    };
    match priors {
        Priors::None => Ok(()),
        Priors::WithValues if shares_graph => {
            refused(format!("threads={},parallel={}", config.threads, config.parallel.word()), "add parallel=root")
        }
        Priors::WithValues if config.forced.is_at_leaves() => {
            refused(format!("forced={}", config.forced.word()), "try forced=expansion")
        }
        Priors::WithValues if config.leaf_search_depth > 0 => {
            refused(format!("leaf-search-depth={}", config.leaf_search_depth), "leave leaf-search-depth out")
        }
        Priors::WithValues if config.exact_leaves > 0 => {
            refused(format!("exact-leaves={}", config.exact_leaves), "leave exact-leaves out")
        }
        _ => Ok(()),
    }
}

/// Checks that what the settings learn from the moves of simulations can be learnt; `learns`: whether the evaluator that the wrappers
/// wrap learns.
///
/// # Errors
/// Leaves that report no moves, threads that share a graph, or priors that come with values beside what learns or static evaluations of moves.
fn check_learning<G: Game>(config: &Config, learns: bool, parts: &mut Parts<G>) -> Result<(), TextError> {
    let refused = |found: String, expected: &str, remedy: &str| {
        Err(TextError::new(found, format!("expected {expected}"), remedy).of_kind(TextErrorKind::Conflict))
    };
    // The setting by which leaves report no moves.
    let (silent, remedy) = if config.playout_plies > 0 {
        (format!("playout-plies={}", config.playout_plies), "leave playout-plies out")
    } else if config.leaf_search_depth > 0 {
        (format!("leaf-search-depth={}", config.leaf_search_depth), "leave leaf-search-depth out")
    } else if config.horizon > 0 {
        (format!("horizon={}", config.horizon), "leave horizon out")
    } else {
        (format!("eval={}", config.evaluator), "try eval=uniform")
    };
    if config.amaf != Amaf::Off && !parts.leaves.records_moves() {
        let found = format!("amaf={},{silent}", config.amaf.word());
        return refused(found, "leaves that report the moves of their playouts", remedy);
    }
    let gives_priors = parts.leaves.gives_priors() == Priors::WithValues;
    if gives_priors && (config.amaf != Amaf::Off || learns) {
        let found = if learns { "an evaluator that learns".to_owned() } else { format!("amaf={}", config.amaf.word()) };
        return refused(found, "an evaluator that gives no priors with the values", "take another evaluator");
    }
    if config.uses_heuristics() && gives_priors {
        return refused(config.heuristics(), "an evaluator that gives no priors with the values", "leave it out");
    }
    if learns && config.threads > 1 && config.parallel != Parallel::Root {
        let found = format!("eval={},threads={}", config.evaluator, config.threads);
        return refused(found, "a graph for each thread, which learns alone", "add parallel=root");
    }
    if learns && (parts.leaves.learner().is_none() || config.playout_plies > 0 || config.horizon > 0) {
        let found = format!("eval={},{silent}", config.evaluator);
        return refused(found, "playouts to the end at every leaf, from which is learnt", remedy);
    }
    Ok(())
}

/// The player that predicts replies, if any.
fn opponent_model<G: Game>(config: &Config, kit: &impl Kit<G>) -> Result<Option<OpponentModel<G>>, TextError> {
    let budget = config.opponent_model_budget;
    Ok(match config.opponent_model {
        // The model of `Player` is set by `with_opponent_model`.
        ModelPlayer::Off | ModelPlayer::Player => None,
        ModelPlayer::Greedy => {
            Some(OpponentModel::fresh(Box::new(Greedy::with_knowledge(0, kit.knowledge())), Limits::default()))
        }
        ModelPlayer::Uct => {
            let limits = Limits::playouts(u64::from(budget) * PLAYOUTS_PER_UNIT);
            Some(OpponentModel::fresh(Box::new(Mcts::with_kit(Config::uct(), kit)?), limits))
        }
        ModelPlayer::Pvs => Some(OpponentModel::lookahead(Box::new(Lookahead::new(budget, kit.knowledge())))),
    })
}

/// The seed of a thread; the first thread uses the search's own.
fn thread_seed(seed: u64, number: u64) -> u64 {
    if number == 0 { seed } else { mix(seed ^ mix(number)) }
}

impl<G: Game> Player<G> for Mcts<G> {
    fn choose(
        &mut self,
        at: &Situation<'_, G>,
        limits: &Limits,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Result<Report<G::Move>, Fault> {
        self.caught(|player| player.search(at, limits, observer))
    }

    /// A search on several threads is not paused.
    fn resume(
        &mut self,
        at: &Situation<'_, G>,
        observer: &mut dyn SearchObserver<G::Move>,
    ) -> Option<Result<Report<G::Move>, Fault>> {
        self.caught(|player| one_thread::resume(&player.config, &mut player.searchers[0], at, observer)).transpose()
    }

    fn new_game(&mut self, seed: u64) {
        self.searchers.iter_mut().zip(0..).for_each(|(searcher, number)| searcher.begin(thread_seed(seed, number)));
    }

    /// With one graph per thread: that of the first thread.
    fn explored(&self, at: &Situation<'_, G>, most_nodes: usize) -> Option<Explored<G::Move>> {
        let searcher = &self.searchers[0];
        searcher.root_of(at)?;
        let context = Context { game: at.game, config: &self.config, state: at.state };
        Some(report::explored(&context, &searcher.search.tree, most_nodes))
    }
}
