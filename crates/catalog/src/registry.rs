//! Games by name.

use std::sync::Arc;

use banyan_core::{ErasedGame, Notation, Plain, Planes, Prover, TextError};
use banyan_inference::{Learnable, TrainingTask};
use banyan_search::Kit;

use crate::game_state::{GameState, Opening};
use crate::learnable::Trainable;
use crate::opening_judge::{JudgeKind, OpeningJudge, judge_for};
use crate::opening_names::{NamedOpening, OpeningNames};
use crate::opening_set::OpeningMaker;
use crate::pairs::{Host, OpeningLines, OpeningSpec, usual_plies};
use crate::players::{GamePreset, GameTables, PlayerSpec};
use crate::searches::{Searches, build, searches_of};
use crate::session::Session;
use crate::suggest::did_you_mean;

/// A game without its type: rules and board, with its searches and its tables, ready to be played. A copy shares them.
#[derive(Clone)]
pub struct AnyGame {
    searches: Arc<dyn Searches>,
}

impl AnyGame {
    /// `game` with searches that have the knowledge of `kit`, for players with these tables. The searches are compiled in the crate that
    /// calls this.
    pub fn new<G: Notation>(game: G, kit: impl Kit<G> + Learnable<G>, tables: GameTables) -> AnyGame {
        let tables = tables.on_board(&game.spec());
        AnyGame { searches: searches_of(game, kit, tables) }
    }

    /// The rules.
    pub fn rules(&self) -> &ErasedGame {
        self.searches.game()
    }

    /// The planes of positions and the outputs of moves, for evaluators from outside; `None` if the game has none.
    pub fn planes(&self) -> Option<Box<dyn Planes<ErasedGame>>> {
        self.searches.planes()
    }

    /// The game specification in its shortest form.
    pub fn spec(&self) -> String {
        self.rules().spec()
    }

    /// Starts a game without players.
    ///
    /// # Errors
    /// Invalid moves or position.
    pub fn begin(&self, opening: Opening<'_>) -> Result<GameState, TextError> {
        GameState::open(self.rules().clone(), opening)
    }

    /// Starts a session.
    ///
    /// # Errors
    /// Invalid moves or position.
    pub fn open(&self, opening: Opening<'_>) -> Result<Session, TextError> {
        Session::open(Arc::clone(&self.searches), opening)
    }

    /// Starts a session at this state of the game.
    pub fn session(&self, state: GameState) -> Session {
        Session::of(Arc::clone(&self.searches), state)
    }

    /// The prover of its solver, with a table of at most `table_mib` MiB and without a book.
    pub fn prover(&self, table_mib: u32) -> Box<dyn Prover<ErasedGame>> {
        self.searches.prover(table_mib)
    }

    /// Prepares for matches: openings follow from `seed`, or are the `lines` of a file.
    ///
    /// # Errors
    /// A line that is not an opening of this game.
    pub fn host(&self, openings: &OpeningSpec, lines: Option<&OpeningLines>, seed: u64) -> Result<Host, TextError> {
        Host::new(Arc::clone(&self.searches), openings, lines, seed)
    }

    /// Checks that a player supports this game.
    ///
    /// # Errors
    /// Incompatible settings, or an evaluator that the game does not have.
    pub fn check_player(&self, player: &PlayerSpec) -> Result<(), TextError> {
        build(&self.searches, player, 0).map(|_| ())
    }

    /// Checks only that the settings of a player are compatible, with those that the game gives it.
    ///
    /// # Errors
    /// They are incompatible.
    pub fn check_settings(&self, player: &PlayerSpec) -> Result<(), TextError> {
        player.check_settings(self.searches.tables().presets)
    }

    /// The player that `best` is in it, with the settings given; any other player as it is.
    ///
    /// # Errors
    /// Settings that this player does not take.
    pub fn in_game(&self, player: &PlayerSpec) -> Result<PlayerSpec, TextError> {
        player.in_game(self.searches.tables())
    }

    /// The leaf evaluators: name and description.
    pub fn evaluators(&self) -> Vec<(&'static str, &'static str)> {
        self.searches.evaluators()
    }

    /// The evaluations that can be learned.
    pub fn training_tasks(&self) -> &'static [TrainingTask] {
        self.searches.training_tasks()
    }

    /// One of them.
    ///
    /// # Errors
    /// The game does not learn this evaluation.
    pub fn trainable(&self, name: &str) -> Result<Trainable, TextError> {
        let features = self.searches.task_features(name).ok_or_else(|| {
            let names: Vec<&str> = self.training_tasks().iter().map(|task| task.name).collect();
            let found = format!("evaluation {}", name.escape_debug());
            let expected = format!("expected one of {} that learns: {}", self.spec(), names.join(", "));
            TextError::new(found, expected, "choose one of these")
        })?;
        Ok(Trainable::new(Arc::clone(&self.searches), features))
    }

    /// The openings that have names on this board.
    pub fn opening_names(&self) -> OpeningNames {
        OpeningNames::of(self.rules(), self.searches.tables().openings)
    }

    /// Default plies of generated openings.
    pub fn usual_opening_plies(&self) -> u16 {
        usual_plies(&*self.searches)
    }

    /// The default judge of openings: a search, or random playouts if the game has too many moves for a short search.
    pub fn usual_judge(&self) -> JudgeKind {
        judge_for(self.rules())
    }

    /// A generator of openings with `plies` plies from `seed`, balanced according to `judge`; also checks given openings.
    ///
    /// # Errors
    /// A judge that does not support this game.
    pub fn opening_maker(&self, plies: u16, seed: u64, judge: &OpeningJudge) -> Result<OpeningMaker, TextError> {
        OpeningMaker::new(&self.searches, plies, seed, judge)
    }
}

/// Creates a game of a family from its options and the tables of the family.
pub type Maker = fn(options: &str, tables: GameTables) -> Result<AnyGame, TextError>;

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
        let make: Maker = |options, tables| Ok(AnyGame::new(G::from_options(options)?, Plain, tables));
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
    pub fn game(&self, spec: &str) -> Result<AnyGame, TextError> {
        let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
        let family = self.family(name).ok_or_else(|| self.unknown(spec))?;
        (family.make)(options, family.tables)
    }

    /// The tables of the game that `spec` names; if only its family is known, those of the family without what is true of single boards.
    pub fn tables(&self, spec: &str) -> Option<GameTables> {
        let name = spec.split(':').next().unwrap_or_default();
        let board = self.game(spec).map(|game| game.spec()).unwrap_or_default();
        self.family(name).map(|family| family.tables.on_board(&board))
    }

    /// The family of this name, in any letter case, or else with this alias.
    pub fn family(&self, name: &str) -> Option<&Family> {
        let is_it = |known: &str| known.eq_ignore_ascii_case(name);
        let named = self.families.iter().find(|family| family.name == name);
        let named = named.or_else(|| self.families.iter().find(|family| is_it(family.name)));
        named.or_else(|| self.families.iter().find(|family| family.aliases.iter().any(|alias| is_it(alias))))
    }

    /// The specification meant by several words: `connect-four:6x7` by `connect four 6x7`; `None` if they begin with no game.
    pub fn spec_of_words(&self, text: &str) -> Option<String> {
        let words: Vec<&str> =
            text.split(|c: char| c.is_whitespace() || c == ':').filter(|word| !word.is_empty()).collect();
        let named = |n: usize| Some((self.family(&words[..n].join("-"))?, words[n..].join(",")));
        let (family, options) = (1..=words.len()).rev().find_map(named)?;
        Some(family.spec(&options))
    }

    /// The family whose openings have this name, in any letter case.
    pub fn family_of_opening(&self, name: &str) -> Option<&Family> {
        let is_named = |opening: &NamedOpening| opening.names.iter().any(|known| known.eq_ignore_ascii_case(name));
        self.families.iter().find(|family| family.tables.openings.iter().any(is_named))
    }

    fn unknown(&self, spec: &str) -> TextError {
        let name = spec.split(':').next().unwrap_or_default();
        let names: Vec<&str> = self.families.iter().map(|family| family.name).collect();
        let meant = self.spec_of_words(spec).map(|meant| format!(" (did you mean {meant}?)"));
        let hint = meant.unwrap_or_else(|| did_you_mean(name, names.iter().copied()));
        let expected = format!("expected one of {}{hint}", names.join(", "));
        TextError::new(format!("unknown game {name:?}"), expected, "`banyan games` lists them with their options")
    }
}
