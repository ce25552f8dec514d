//! The searches and evaluators of one game, built from its knowledge kit and player names.

use std::sync::Arc;
use std::time::Duration;

use banyan_core::{
    Answer, FINE, Knowledge, Leaves, Limits, Notation, Player, Prover, Rng, TextError, Value, published_perft,
};
use banyan_inference::{Features, MoveFeatures, TrainingTask};
use banyan_search::{
    self as search, Algorithm, AlphaBeta, AlphaBetaConfig, Config, Greedy, Kit, Mcts, Random, SolverConfig,
    SolverPlayer, Vote, evaluators_of, leaf_evaluator, prover,
};

use crate::book::{Book, BookPlayer};
use crate::external_player::ExternalPlayer;
use crate::game_state::Opening;
use crate::players::{GameTables, Handicap, Handicapped, Kind, PlayerSpec};
use crate::random_playouts::RandomPlayouts;
use crate::typed_game::TypedGame;

/// Arguments for building a player, beside its settings.
pub(crate) struct Given<G: Notation> {
    seed: u64,
    /// A named opponent model with its limits for each reply.
    model: Option<(Box<dyn Player<G>>, Limits)>,
}

/// The result of [`Engine::player`].
pub(crate) enum Built<G: Notation> {
    /// The player.
    Player(Box<dyn Player<G>>),
    /// The parts of a `solver`, which [`build`] puts together, so that it is not compiled with the searches: its settings, the player
    /// of its openings, and its prover.
    Solver(SolverConfig, Box<dyn Player<G>>, Box<dyn Prover<G>>),
}

/// The features of positions or of moves, from which an evaluation is learned.
pub(crate) enum TaskFeatures<G> {
    /// Of positions.
    Value(Box<dyn Features<G>>),
    /// Of moves.
    Policy(Box<dyn MoveFeatures<G>>),
}

/// Builds the searches of one game and runs its loops over many positions. All of it is compiled where [`Searches::new`] is called.
pub(crate) trait Engine<G: Notation>: Send + Sync {
    /// The tables of the game.
    fn tables(&self) -> &GameTables;

    /// A built-in player other than vote; of a solver the parts.
    ///
    /// # Errors
    /// Incompatible settings, an evaluator that the game does not have, or weights for another board.
    fn player(&self, game: &G, player: &PlayerSpec, given: Given<G>) -> Result<Built<G>, TextError>;

    /// The prover of a solver, with a table of `table_mib` MiB.
    fn prover(&self, table_mib: u32) -> Box<dyn Prover<G>>;

    /// A judge of openings by random playouts.
    fn random_playouts(&self, seed: u64) -> Box<dyn Player<G>>;

    /// `player` with a book, which it looks up by keys of all images of a position, on its clock.
    fn with_book(&self, book: Arc<Book>, player: Box<dyn Player<G>>) -> Box<dyn Player<G>>;

    /// Positions visited by alpha-beta to a fixed depth.
    fn nodes_to_depth(&self, config: &AlphaBetaConfig, game: &G, state: &G::State, depth: u32) -> u64;

    /// Number of move sequences of `depth` moves, by the convention of published counts ([`published_perft`]).
    fn perft(&self, game: &G, state: &G::State, depth: u32) -> u64;

    /// Evaluates a position `n` times, rounded up to whole batches of `batch`, with the leaf evaluator called `name`, and adds up the
    /// values in points.
    ///
    /// # Errors
    /// An unknown name.
    fn evaluate(
        &self,
        game: &G,
        state: &G::State,
        name: &str,
        batch: usize,
        n: u64,
        seed: u64,
    ) -> Result<i64, TextError>;

    /// The leaf evaluators: name and description.
    fn evaluators(&self) -> Vec<(&'static str, &'static str)>;

    /// The evaluations that can be learned.
    fn training_tasks(&self) -> &'static [TrainingTask];

    /// The features from which one of them is learned; `None` if there is none of this name.
    fn task_features(&self, game: &G, name: &str) -> Option<TaskFeatures<G>>;

    /// The knowledge of the game.
    fn knowledge(&self) -> Box<dyn Knowledge<G>>;
}

/// A kit and tables as an engine.
struct KitEngine<T> {
    kit: T,
    tables: GameTables,
}

/// The searches of a game without the type of its kit. They are compiled in the crate that calls [`Searches::new`] for a game of
/// known type, so that other crates that use them do not compile them again.
pub struct Searches<G: Notation>(pub(crate) Arc<dyn Engine<G>>);

impl<G: Notation> Searches<G> {
    /// Searches with the knowledge of `kit`, for players with these tables.
    pub fn new(kit: impl Kit<G>, tables: GameTables) -> Searches<G> {
        Searches(Arc::new(KitEngine { kit, tables }))
    }
}

/// The kit with the square weights of a search, if it has any.
///
/// # Errors
/// The board does not have 64 squares that the sides own.
fn square_kit<G: Notation, T: Kit<G>>(config: &Config, kit: &T, game: &G) -> Result<Option<T>, TextError> {
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

/// Monte Carlo search.
///
/// # Errors
/// Settings that are incompatible, or not of this board.
fn mcts<G: Notation, T: Kit<G>>(
    config: Config,
    kit: &T,
    game: &G,
    model: Option<(Box<dyn Player<G>>, Limits)>,
) -> Result<Box<dyn Player<G>>, TextError> {
    let weighted = square_kit(&config, kit, game)?;
    let search = Mcts::with_kit(config, weighted.as_ref().unwrap_or(kit))?;
    Ok(match model {
        Some((model, limits)) => Box::new(search.with_opponent_model(model, limits)),
        None => Box::new(search),
    })
}

/// The name that kits have for the evaluation by square weights.
const SQUARES: &str = "squares";

impl<T> KitEngine<T> {
    /// The player of the openings of a `solver` with these settings, with the knowledge of this kit.
    fn opening_player<G: Notation>(
        &self,
        kit: &T,
        game: &G,
        config: &SolverConfig,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, TextError>
    where
        T: Kit<G>,
    {
        Ok(match config.opening {
            search::Opening::Casual => Box::new(Random::with_kit(seed, kit.clone())),
            search::Opening::Pvs => {
                let table_mib = Some(config.table_mib);
                let search =
                    AlphaBetaConfig { threads: config.threads, table_mib, ..AlphaBetaConfig::new(Algorithm::Pvs) };
                Box::new(AlphaBeta::with_knowledge(search, kit.knowledge()))
            }
            search::Opening::Mcgs => {
                let SolverConfig { threads, table_mib, .. } = config;
                let player: PlayerSpec = format!("mcgs:threads={threads},memory-mib={table_mib}").parse()?;
                match self.kind(kit, &player)? {
                    Kind::Search(config) => mcts(*config, kit, game, None)?,
                    _ => unreachable!("presets named mcgs are Monte Carlo searches: GamePreset::check refuses others"),
                }
            }
        })
    }

    /// The kind of a player in this game, with the evaluators of this kit.
    fn kind<G: Notation>(&self, kit: &T, player: &PlayerSpec) -> Result<Kind, TextError>
    where
        T: Kit<G>,
    {
        player.kind_in(self.tables.presets, |config| leaf_evaluator(config, kit).is_ok())
    }

    /// A built-in player other than vote, with the knowledge of this kit.
    fn built_with<G: Notation>(
        &self,
        kit: &T,
        game: &G,
        player: &PlayerSpec,
        Given { seed, model }: Given<G>,
    ) -> Result<Built<G>, TextError>
    where
        T: Kit<G>,
    {
        let knowledge = || kit.knowledge();
        Ok(Built::Player(match self.kind(kit, player)? {
            Kind::Random => Box::new(Random::new(seed)),
            Kind::Greedy => Box::new(Greedy::with_knowledge(seed, knowledge())),
            Kind::Search(config) => mcts(*config, kit, game, model)?,
            Kind::AlphaBeta(config) => Box::new(AlphaBeta::with_knowledge(config, knowledge())),
            Kind::Solver(config) => {
                let opening = self.opening_player(kit, game, &config, seed)?;
                let prover = prover(kit, config.table_mib);
                return Ok(Built::Solver(config, opening, prover));
            }
            Kind::Vote(_) | Kind::Best(_) | Kind::Level(_) | Kind::ExternalEngine(_) => {
                unreachable!("{player} is composed of others")
            }
        }))
    }
}

impl<G: Notation, T: Kit<G>> Engine<G> for KitEngine<T> {
    fn tables(&self) -> &GameTables {
        &self.tables
    }

    fn player(&self, game: &G, player: &PlayerSpec, given: Given<G>) -> Result<Built<G>, TextError> {
        let learned = player.eval().map(|file| file.kit(&self.kit, game)).transpose()?;
        self.built_with(learned.as_ref().unwrap_or(&self.kit), game, player, given)
    }

    fn prover(&self, table_mib: u32) -> Box<dyn Prover<G>> {
        prover(&self.kit, table_mib)
    }

    fn random_playouts(&self, seed: u64) -> Box<dyn Player<G>> {
        Box::new(RandomPlayouts::new(seed))
    }

    fn with_book(&self, book: Arc<Book>, player: Box<dyn Player<G>>) -> Box<dyn Player<G>> {
        Box::new(BookPlayer::new(book, player))
    }

    fn nodes_to_depth(&self, config: &AlphaBetaConfig, game: &G, state: &G::State, depth: u32) -> u64 {
        AlphaBeta::with_knowledge(config.clone(), self.kit.knowledge()).search_to_depth(game, state, depth).nodes
    }

    fn perft(&self, game: &G, state: &G::State, depth: u32) -> u64 {
        published_perft(game, state, depth, self.tables.moves_after_end)
    }

    fn evaluate(
        &self,
        game: &G,
        state: &G::State,
        name: &str,
        batch: usize,
        n: u64,
        seed: u64,
    ) -> Result<i64, TextError> {
        let config = Config { evaluator: name.to_owned(), ..Config::default() };
        let mut evaluator = leaf_evaluator(&config, &self.kit)?;
        let (states, visits) = (vec![state.clone(); batch], vec![0; batch]);
        let (mut answers, mut rng, mut sum) = (vec![Answer::default(); batch], Rng::new(seed), 0);
        for _ in 0..n.div_ceil(batch as u64) {
            evaluator.evaluate(game, &mut Leaves::new(&states, &visits, &mut answers), &mut rng);
            sum += answers.iter().map(in_points).sum::<i64>();
        }
        Ok(sum)
    }

    fn evaluators(&self) -> Vec<(&'static str, &'static str)> {
        evaluators_of(&self.kit).collect()
    }

    fn training_tasks(&self) -> &'static [TrainingTask] {
        self.kit.training_tasks()
    }

    fn task_features(&self, game: &G, name: &str) -> Option<TaskFeatures<G>> {
        let value = self.kit.features(name, game).map(TaskFeatures::Value);
        value.or_else(|| self.kit.move_features(name, game).map(TaskFeatures::Policy))
    }

    fn knowledge(&self) -> Box<dyn Knowledge<G>> {
        Box::new(self.kit.knowledge())
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

/// The time of an engine that predicts a reply, for each unit of the model's budget.
const MODEL_TIME: Duration = Duration::from_millis(10);

/// The playouts of any other player that predicts a reply, for each unit.
const MODEL_PLAYOUTS: u64 = 100;

/// A named opponent model, with its limits for one unit of budget.
///
/// # Errors
/// See [`build`].
fn opponent_model<G: Notation>(
    engine: &Arc<dyn Engine<G>>,
    game: &Arc<G>,
    model: &PlayerSpec,
    units: u32,
    seed: u64,
) -> Result<(Box<dyn Player<G>>, Limits), TextError> {
    let limits = match model.kind() {
        Kind::AlphaBeta(_) => Limits { depth: Some(units), ..Limits::default() },
        Kind::ExternalEngine(_) => Limits::time(MODEL_TIME * units),
        _ => Limits::playouts(MODEL_PLAYOUTS * u64::from(units)),
    };
    Ok((build(engine, game, model, seed)?, limits))
}

/// The player for games of type `G`, with random seed `seed`.
///
/// # Errors
/// Settings that are incompatible in this game, an evaluator that it does not have, a published system or a book of another game.
pub(crate) fn build<G: Notation>(
    engine: &Arc<dyn Engine<G>>,
    game: &Arc<G>,
    player: &PlayerSpec,
    seed: u64,
) -> Result<Box<dyn Player<G>>, TextError> {
    player.check_game(engine.tables().presets)?;
    let mut built: Box<dyn Player<G>> = match player.kind() {
        Kind::Vote(members) => {
            let members: Result<_, TextError> =
                members.iter().map(|member| build(engine, game, member, seed)).collect();
            Box::new(Vote::new(members?))
        }
        Kind::Best(_) | Kind::Level(_) => return build(engine, game, &player.in_game(engine.tables())?, seed),
        Kind::ExternalEngine(engine) => Box::new(ExternalPlayer::new(&**engine)),
        _ => {
            let model = player
                .model()
                .map(|model| opponent_model(engine, game, model, player.model_budget(), seed))
                .transpose();
            let given = model.map(|model| Given { seed, model });
            match given.and_then(|given| engine.player(game, player, given)).map_err(|err| player.named(err))? {
                Built::Player(player) => player,
                Built::Solver(config, opening, prover) => Box::new(SolverPlayer::new(config, opening, prover)),
            }
        }
    };
    if *player.handicap() != Handicap::default() {
        built = Box::new(Handicapped::new(*player.handicap(), built));
    }
    if let Some(setting) = player.book() {
        let book = setting.open(|| TypedGame::open(Arc::clone(game), Opening::Start))?;
        built = engine.with_book(book, built);
    }
    built.new_game(seed);
    Ok(built)
}
