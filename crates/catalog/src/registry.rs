//! Games by name.

use std::sync::Arc;

use banyan_core::{Notation, Plain, TextError};
use banyan_inference::TrainingTask;

use crate::engine::{Engine, Searches, build};
use crate::game_state::Opening;
use crate::learnable::{Trainable, TypedTrainable};
use crate::opening_judge::{JudgeKind, OpeningJudge, judge_for};
use crate::opening_set::{Making, OpeningMaker};
use crate::pairs::{Host, Hosting, OpeningLines, OpeningSpec, usual_plies};
use crate::players::{GamePreset, GameTables, PlayerSpec};
use crate::session::Session;
use crate::suggest::did_you_mean;
use crate::typed_session::TypedSession;

/// A game without its type: rules and board, ready to be played.
pub trait AnyGame: Send + Sync {
    /// The game specification in its shortest form.
    fn spec(&self) -> String;

    /// Starts a session.
    ///
    /// # Errors
    /// Invalid moves or position.
    fn open(&self, opening: Opening<'_>) -> Result<Box<dyn Session>, TextError>;

    /// Prepares for matches: openings follow from `seed`, or are the `lines` of a file.
    ///
    /// # Errors
    /// A line that is not an opening of this game.
    fn host(&self, openings: &OpeningSpec, lines: Option<&OpeningLines>, seed: u64)
    -> Result<Box<dyn Host>, TextError>;

    /// Checks that a player supports this game.
    ///
    /// # Errors
    /// Incompatible settings, or an evaluator that the game does not have.
    fn check_player(&self, player: &PlayerSpec) -> Result<(), TextError>;

    /// Checks only that the settings of a player are compatible, with those that the game gives it.
    ///
    /// # Errors
    /// They are incompatible.
    fn check_settings(&self, player: &PlayerSpec) -> Result<(), TextError>;

    /// The player that `best` is in it, with the settings given; any other player as it is.
    ///
    /// # Errors
    /// Settings that this player does not take.
    fn in_game(&self, player: &PlayerSpec) -> Result<PlayerSpec, TextError>;

    /// The leaf evaluators: name and description.
    fn evaluators(&self) -> Vec<(&'static str, &'static str)>;

    /// The evaluations that can be learned.
    fn training_tasks(&self) -> &'static [TrainingTask];

    /// One of them.
    ///
    /// # Errors
    /// The game does not learn this evaluation.
    fn trainable(&self, name: &str) -> Result<Box<dyn Trainable>, TextError>;

    /// Default plies of generated openings.
    fn usual_opening_plies(&self) -> u16;

    /// The default judge of openings: a search, or random playouts if the game has too many moves for a short search.
    fn usual_judge(&self) -> JudgeKind;

    /// A generator of openings with `plies` plies from `seed`, balanced according to `judge`; also checks given openings.
    ///
    /// # Errors
    /// A judge that does not support this game.
    fn opening_maker(&self, plies: u16, seed: u64, judge: &OpeningJudge) -> Result<Box<dyn OpeningMaker>, TextError>;
}

struct Hidden<G: Notation> {
    game: Arc<G>,
    engine: Arc<dyn Engine<G>>,
}

impl<G: Notation> AnyGame for Hidden<G> {
    fn spec(&self) -> String {
        self.game.spec()
    }

    fn open(&self, opening: Opening<'_>) -> Result<Box<dyn Session>, TextError> {
        Ok(Box::new(TypedSession::open(Arc::clone(&self.game), Arc::clone(&self.engine), opening)?))
    }

    fn host(
        &self,
        openings: &OpeningSpec,
        lines: Option<&OpeningLines>,
        seed: u64,
    ) -> Result<Box<dyn Host>, TextError> {
        Ok(Box::new(Hosting::new(Arc::clone(&self.game), Arc::clone(&self.engine), openings, lines, seed)?))
    }

    fn check_player(&self, player: &PlayerSpec) -> Result<(), TextError> {
        build(&self.engine, &self.game, player, 0).map(|_| ())
    }

    fn check_settings(&self, player: &PlayerSpec) -> Result<(), TextError> {
        player.check_settings(self.engine.tables().presets)
    }

    fn in_game(&self, player: &PlayerSpec) -> Result<PlayerSpec, TextError> {
        player.in_game(self.engine.tables())
    }

    fn evaluators(&self) -> Vec<(&'static str, &'static str)> {
        self.engine.evaluators()
    }

    fn training_tasks(&self) -> &'static [TrainingTask] {
        self.engine.training_tasks()
    }

    fn trainable(&self, name: &str) -> Result<Box<dyn Trainable>, TextError> {
        let features = self.engine.task_features(&self.game, name).ok_or_else(|| {
            let names: Vec<&str> = self.training_tasks().iter().map(|task| task.name).collect();
            let found = format!("evaluation {}", name.escape_debug());
            TextError::new(
                found,
                format!("one of {} that learns: {}", self.spec(), names.join(", ")),
                "choose one of these",
            )
        })?;
        Ok(Box::new(TypedTrainable { game: Arc::clone(&self.game), features, engine: Arc::clone(&self.engine) }))
    }

    fn usual_opening_plies(&self) -> u16 {
        usual_plies(&*self.game, &*self.engine)
    }

    fn usual_judge(&self) -> JudgeKind {
        judge_for(&*self.game)
    }

    fn opening_maker(&self, plies: u16, seed: u64, judge: &OpeningJudge) -> Result<Box<dyn OpeningMaker>, TextError> {
        Ok(Box::new(Making::new(Arc::clone(&self.game), &self.engine, plies, seed, judge)?))
    }
}

/// Hides the type of `game`, with its searches.
pub fn any_game<G: Notation>(game: G, searches: Searches<G>) -> Box<dyn AnyGame> {
    Box::new(Hidden { game: Arc::new(game), engine: searches.0 })
}

/// Creates a game of a family from its options and the tables of the family.
pub type Maker = fn(options: &str, tables: GameTables) -> Result<Box<dyn AnyGame>, TextError>;

/// Games that share a name and differ in their options.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// The name.
    pub name: &'static str,
    /// Other names that are understood.
    pub aliases: &'static [&'static str],
    /// Rules and options in one line.
    pub summary: &'static str,
    /// Presets and other tables of the family.
    pub tables: GameTables,
    /// Creates a game.
    pub make: Maker,
}

impl Family {
    /// The family of `G`, with the constructor `make`.
    pub fn of<G: Notation>(tables: GameTables, make: Maker) -> Family {
        Family { name: G::NAME, aliases: &[], summary: G::SUMMARY, tables, make }
    }

    /// The family, which is also found under these names.
    #[must_use]
    pub fn also_named(self, aliases: &'static [&'static str]) -> Family {
        Family { aliases, ..self }
    }

    /// The specification of the board with these options: the name alone if there are none.
    pub fn spec(&self, options: &str) -> String {
        if options.is_empty() { self.name.to_owned() } else { format!("{}:{options}", self.name) }
    }
}

/// All known games.
#[derive(Clone, Debug, Default)]
pub struct Catalog {
    families: Vec<Family>,
}

impl Catalog {
    /// A catalog without games.
    pub fn empty() -> Catalog {
        Catalog::default()
    }

    /// A catalog of these families.
    ///
    /// # Errors
    /// An invalid preset.
    pub fn of(families: impl IntoIterator<Item = Family>) -> Result<Catalog, TextError> {
        let mut catalog = Catalog::empty();
        families.into_iter().try_for_each(|family| catalog.add(family).map(|_| ()))?;
        Ok(catalog)
    }

    /// Adds a user-defined game, known only by its rules, under its [`Notation::NAME`]; replaces a game of the same name.
    ///
    /// # Errors
    /// An invalid preset.
    pub fn register<G: Notation>(&mut self, presets: &'static [GamePreset]) -> Result<&mut Catalog, TextError> {
        let make: Maker = |options, tables| Ok(any_game(G::from_options(options)?, Searches::new(Plain, tables)));
        self.add(Family::of::<G>(GameTables::with_presets(presets), make))
    }

    /// Adds a family of games, for instance one with different types for different sizes.
    ///
    /// # Errors
    /// An invalid preset.
    pub fn add(&mut self, family: Family) -> Result<&mut Catalog, TextError> {
        family.tables.presets.iter().try_for_each(GamePreset::check)?;
        self.families.retain(|known| known.name != family.name);
        self.families.push(family);
        Ok(self)
    }

    /// The families in the order they were added.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// The game if none is named: the family added first. Empty without games.
    pub fn first_game(&self) -> &'static str {
        self.families.first().map_or("", |family| family.name)
    }

    /// Parses a game specification: `connect-four:10x11,hole=d3`.
    ///
    /// # Errors
    /// An unknown name or invalid options.
    pub fn game(&self, spec: &str) -> Result<Box<dyn AnyGame>, TextError> {
        let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
        let family = self.family(name).ok_or_else(|| self.unknown(name))?;
        (family.make)(options, family.tables)
    }

    /// The tables of the family that `spec` names, if there is one.
    pub fn tables(&self, spec: &str) -> Option<&GameTables> {
        let name = spec.split(':').next().unwrap_or_default();
        self.family(name).map(|family| &family.tables)
    }

    /// The family of this name, or else with this alias.
    fn family(&self, name: &str) -> Option<&Family> {
        let named = self.families.iter().find(|family| family.name == name);
        named.or_else(|| self.families.iter().find(|family| family.aliases.contains(&name)))
    }

    fn unknown(&self, name: &str) -> TextError {
        let names: Vec<&str> = self.families.iter().map(|family| family.name).collect();
        let hint = did_you_mean(name, names.iter().copied());
        let expected = format!("expected one of {}{hint}", names.join(", "));
        TextError::new(format!("unknown game {name:?}"), expected, "`banyan games` lists them with their options")
    }
}
