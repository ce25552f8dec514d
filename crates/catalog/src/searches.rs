//! The searches and evaluators of one game, built from its knowledge kit and player names. Above them nothing is generic over a game.

mod build;
mod erased_features;

use std::sync::Arc;

use banyan_core::{
    Answer, ErasedGame, ErasedState, FINE, Knowledge, Leaves, Limits, Notation, PlaneEvaluator, Planes, Player, Prover,
    Rng, TextError, TextErrorKind, Value, erase_planes, erase_player, erase_prover, published_perft, restore_player,
};
use banyan_inference::{Features, Learnable, MoveFeatures, TrainingTask};
use banyan_search::{
    self as search, Algorithm, AlphaBeta, AlphaBetaConfig, Config, Greedy, Kit, Mcts, Random, SolverConfig,
    evaluators_of, leaf_evaluator, prover,
};

pub(crate) use build::{build, build_with};
use erased_features::{erase_features, erase_knowledge, erase_move_features};

use crate::players::{GameTables, Kind, PlayerSpec};
use crate::random_playouts::RandomPlayouts;

/// A player of a game without its type.
pub(crate) type ErasedPlayer = Box<dyn Player<ErasedGame>>;

/// Arguments for building a player, beside its settings.
pub(crate) struct Given {
    seed: u64,
    /// A named opponent model with its limits for each reply.
    model: Option<(ErasedPlayer, Limits)>,
    /// An evaluator from outside, which values the leaves of a Monte Carlo search.
    outside: Option<Box<dyn PlaneEvaluator>>,
}

impl Given {
    /// Nothing but a seed.
    fn seed(seed: u64) -> Given {
        Given { seed, model: None, outside: None }
    }
}

/// The error for a player that has no leaves for an evaluator from outside.
fn no_leaves() -> TextError {
    let expected = "expected a Monte Carlo search, since the evaluator from outside values its leaves";
    TextError::new("an evaluator from outside", expected, "try graph:select=puct,reward=wdl")
        .of_kind(TextErrorKind::Unsupported)
}

/// The result of [`Searches::player`].
pub(crate) enum Built {
    /// The player.
    Player(ErasedPlayer),
    /// The parts of a `solver`: its settings, the player of its openings, and its prover.
    Solver(SolverConfig, ErasedPlayer, Box<dyn Prover<ErasedGame>>),
}

/// The features of positions or of moves, from which an evaluation is learned.
pub(crate) enum TaskFeatures {
    /// Of positions.
    Value(Box<dyn Features<ErasedGame>>),
    /// Of moves.
    Policy(Box<dyn MoveFeatures<ErasedGame>>),
}

/// Builds the searches of one game. The one implementation is compiled where a game gets its kit, in the crate of that game.
pub(crate) trait Searches: Loops + Lessons + Send + Sync {
    /// The game.
    fn game(&self) -> &ErasedGame;

    /// The tables of the game.
    fn tables(&self) -> &GameTables;

    /// A built-in player other than vote; of a solver the parts.
    ///
    /// # Errors
    /// Incompatible settings, an evaluator that the game does not have, or weights for another board.
    fn player(&self, player: &PlayerSpec, given: Given) -> Result<Built, TextError>;

    /// The prover of a solver, with a table of `table_mib` MiB.
    fn prover(&self, table_mib: u32) -> Box<dyn Prover<ErasedGame>>;

    /// A judge of openings by random playouts.
    fn random_playouts(&self, seed: u64) -> ErasedPlayer;

    /// The leaf evaluators: name and description.
    fn evaluators(&self) -> Vec<(&'static str, &'static str)>;

    /// The planes of positions, for evaluators from outside; `None` if the game has none.
    fn planes(&self) -> Option<Box<dyn Planes<ErasedGame>>>;
}

/// Loops over many positions of one game, compiled with its searches.
pub(crate) trait Loops {
    /// Positions visited by alpha-beta to a fixed depth.
    fn nodes_to_depth(&self, config: &AlphaBetaConfig, state: &ErasedState, depth: u32) -> u64;

    /// Number of move sequences of `depth` moves, by the convention of published counts ([`published_perft`]).
    fn perft(&self, state: &ErasedState, depth: u32) -> u64;

    /// Evaluates a position `n` times, rounded up to whole batches of `batch`, with the leaf evaluator called `name`, and adds up the
    /// values in points.
    ///
    /// # Errors
    /// An unknown name.
    fn evaluate(&self, state: &ErasedState, name: &str, batch: usize, n: u64, seed: u64) -> Result<i64, TextError>;
}

/// What can be learned of one game.
pub(crate) trait Lessons {
    /// The evaluations that can be learned.
    fn training_tasks(&self) -> &'static [TrainingTask];

    /// The features from which one of them is learned; `None` if there is none of this name.
    fn task_features(&self, name: &str) -> Option<TaskFeatures>;

    /// The knowledge of the game.
    fn knowledge(&self) -> Box<dyn Knowledge<ErasedGame>>;
}

/// A game, its kit and its tables.
struct OfKit<G, T> {
    game: Arc<G>,
    erased: ErasedGame,
    kit: T,
    tables: GameTables,
}

/// The searches of `game` with the knowledge of `kit`, for players with these tables.
pub(crate) fn searches_of<G: Notation>(
    game: G,
    kit: impl Kit<G> + Learnable<G>,
    tables: GameTables,
) -> Arc<dyn Searches> {
    let game = Arc::new(game);
    Arc::new(OfKit { erased: ErasedGame::new(Arc::clone(&game)), game, kit, tables })
}

/// The kit with the square weights of a search, if it has any.
///
/// # Errors
/// The board does not have 64 squares that the sides own.
fn square_kit<G: Notation, T: Kit<G> + Learnable<G>>(
    config: &Config,
    kit: &T,
    game: &G,
) -> Result<Option<T>, TextError> {
    let Some(weights) = config.square_weights.weights() else { return Ok(None) };
    kit.with_weights(SQUARES, game, weights).map(Some).ok_or_else(|| {
        let expected = "expected a board of 64 squares that the sides own";
        TextError::new(
            format!("square-weights in {}", game.spec()),
            expected,
            "leave square-weights out, or play on such a board",
        )
    })
}

/// The name that kits have for the evaluation by square weights.
const SQUARES: &str = "squares";

impl<G: Notation, T: Kit<G> + Learnable<G>> OfKit<G, T> {
    /// A player without the type of the game.
    fn erase(&self, player: impl Player<G> + 'static) -> ErasedPlayer {
        erase_player(Arc::clone(&self.game), Box::new(player))
    }

    /// Monte Carlo search.
    ///
    /// # Errors
    /// Settings that are incompatible, or not of this board.
    fn mcts(&self, config: Config, kit: &T, given: Given) -> Result<ErasedPlayer, TextError> {
        let weighted = square_kit(&config, kit, &*self.game)?;
        let kit = weighted.as_ref().unwrap_or(kit);
        let search = match given.outside {
            Some(outside) => Mcts::with_planes(config, &*self.game, outside, kit)?,
            None => Mcts::with_kit(config, kit)?,
        };
        Ok(match given.model {
            Some((model, limits)) => {
                let model = restore_player(self.erased.clone(), model);
                self.erase(search.with_opponent_model(model, limits))
            }
            None => self.erase(search),
        })
    }

    /// The player of the openings of a `solver` with these settings, with the knowledge of this kit.
    fn opening_player(&self, kit: &T, config: &SolverConfig, seed: u64) -> Result<ErasedPlayer, TextError> {
        Ok(match config.opening {
            search::Opening::Casual => self.erase(Random::with_kit(seed, kit.clone())),
            search::Opening::Pvs => {
                let table_mib = Some(config.table_mib);
                let search =
                    AlphaBetaConfig { threads: config.threads, table_mib, ..AlphaBetaConfig::new(Algorithm::Pvs) };
                self.erase(AlphaBeta::with_knowledge(search, kit.knowledge()))
            }
            search::Opening::Mcgs => {
                let SolverConfig { threads, table_mib, .. } = config;
                let player: PlayerSpec = format!("mcgs:threads={threads},memory-mib={table_mib}").parse()?;
                match self.kind(kit, &player, false)? {
                    Kind::Search(config) => self.mcts(*config, kit, Given::seed(seed))?,
                    _ => unreachable!("presets named mcgs are Monte Carlo searches: GamePreset::check refuses others"),
                }
            }
        })
    }

    /// The kind of a player in this game, with the evaluators of this kit; `outside`: its leaves are valued from outside, which neither
    /// static evaluations nor a bonus for the score of a preset suits.
    fn kind(&self, kit: &T, player: &PlayerSpec, outside: bool) -> Result<Kind, TextError> {
        let suits = |config: &Config| {
            let parts = [("implicit", config.implicit), ("score-bonus", config.score_bonus)];
            !outside || parts.iter().all(|&(name, value)| value == 0.0 || player.gives(name))
        };
        player.kind_in(self.tables.presets, |config| leaf_evaluator(config, kit).is_ok() && suits(config))
    }

    /// A built-in player other than vote, with the knowledge of this kit.
    fn built_with(&self, kit: &T, player: &PlayerSpec, given: Given) -> Result<Built, TextError> {
        let (seed, knowledge) = (given.seed, || kit.knowledge());
        let kind = self.kind(kit, player, given.outside.is_some())?;
        if given.outside.is_some() && !matches!(kind, Kind::Search(_)) {
            return Err(no_leaves());
        }
        Ok(Built::Player(match kind {
            Kind::Random => self.erase(Random::new(seed)),
            Kind::Greedy => self.erase(Greedy::with_knowledge(seed, knowledge())),
            Kind::Search(config) => self.mcts(*config, kit, given)?,
            Kind::AlphaBeta(config) => self.erase(AlphaBeta::with_knowledge(config, knowledge())),
            Kind::Solver(config) => {
                let opening = self.opening_player(kit, &config, seed)?;
                let prover = erase_prover(Arc::clone(&self.game), prover(kit, config.table_mib));
                return Ok(Built::Solver(config, opening, prover));
            }
            Kind::Vote(_) | Kind::Best(_) | Kind::Level(_) | Kind::ExternalEngine(_) => {
                unreachable!("{player} is composed of others")
            }
        }))
    }
}

impl<G: Notation, T: Kit<G> + Learnable<G>> Searches for OfKit<G, T> {
    fn game(&self) -> &ErasedGame {
        &self.erased
    }

    fn tables(&self) -> &GameTables {
        &self.tables
    }

    fn player(&self, player: &PlayerSpec, given: Given) -> Result<Built, TextError> {
        let learned = player.eval().map(|file| file.kit(&self.kit, &*self.game)).transpose()?;
        self.built_with(learned.as_ref().unwrap_or(&self.kit), player, given)
    }

    fn prover(&self, table_mib: u32) -> Box<dyn Prover<ErasedGame>> {
        erase_prover(Arc::clone(&self.game), prover(&self.kit, table_mib))
    }

    fn random_playouts(&self, seed: u64) -> ErasedPlayer {
        self.erase(RandomPlayouts::new(seed))
    }

    fn evaluators(&self) -> Vec<(&'static str, &'static str)> {
        evaluators_of(&self.kit).collect()
    }

    fn planes(&self) -> Option<Box<dyn Planes<ErasedGame>>> {
        self.kit.planes(&self.game).map(|planes| erase_planes(Arc::clone(&self.game), planes))
    }
}

impl<G: Notation, T: Kit<G> + Learnable<G>> Loops for OfKit<G, T> {
    fn nodes_to_depth(&self, config: &AlphaBetaConfig, state: &ErasedState, depth: u32) -> u64 {
        let mut search = AlphaBeta::with_knowledge(config.clone(), self.kit.knowledge());
        search.search_to_depth(&*self.game, state.typed(), depth).nodes
    }

    fn perft(&self, state: &ErasedState, depth: u32) -> u64 {
        published_perft(&*self.game, state.typed(), depth, self.tables.moves_after_end)
    }

    fn evaluate(&self, state: &ErasedState, name: &str, batch: usize, n: u64, seed: u64) -> Result<i64, TextError> {
        let config = Config { evaluator: name.to_owned(), ..Config::default() };
        let mut evaluator = leaf_evaluator(&config, &self.kit)?;
        let (states, visits) = (vec![state.typed::<G::State>().clone(); batch], vec![0; batch]);
        let (mut answers, mut rng, mut sum) = (vec![Answer::default(); batch], Rng::new(seed), 0);
        for _ in 0..n.div_ceil(batch as u64) {
            evaluator.evaluate(&self.game, &mut Leaves::new(&states, &visits, &mut answers), &mut rng);
            sum += answers.iter().map(in_points).sum::<i64>();
        }
        Ok(sum)
    }
}

impl<G: Notation, T: Kit<G> + Learnable<G>> Lessons for OfKit<G, T> {
    fn training_tasks(&self) -> &'static [TrainingTask] {
        self.kit.training_tasks()
    }

    fn task_features(&self, name: &str) -> Option<TaskFeatures> {
        let game = &self.game;
        let value = self.kit.features(name, game).map(|of| TaskFeatures::Value(erase_features(Arc::clone(game), of)));
        let policy = || self.kit.move_features(name, game).map(|of| erase_move_features(Arc::clone(game), of));
        value.or_else(|| policy().map(TaskFeatures::Policy))
    }

    fn knowledge(&self) -> Box<dyn Knowledge<ErasedGame>> {
        erase_knowledge(Arc::clone(&self.game), self.kit.knowledge())
    }
}

/// A value as a whole number of points.
fn in_points(answer: &Answer) -> i64 {
    match answer.value {
        Value::Margin(margin) => i64::from(margin.0),
        Value::Points(points) => i64::from(points / FINE),
        Value::Reward(reward) => reward as i64,
    }
}
