//! Games by name.

use std::sync::Arc;

use banyan_core::{Notation, Plain, TextError};
use banyan_search::Kit;

use crate::engine::{Engine, GameTables, KitEngine, build};
use crate::game_state::Opening;
use crate::matches::{Host, Hosting, OpeningLines, OpeningSpec, usual_plies};
use crate::opening_set::{Making, OpeningJudge, OpeningMaker};
use crate::players::{GamePreset, PlayerSpec};
use crate::session::Session;
use crate::suggest::did_you_mean;
use crate::typed_session::TypedSession;

/// A game whose type nobody needs to know: rules and board, ready to be played.
pub trait AnyGame: Send + Sync {
    /// The game as it is asked for by name, in its shortest form.
    fn spec(&self) -> String;

    /// Begins a session.
    ///
    /// # Errors
    /// Moves or a position that cannot be read.
    fn open(&self, opening: Opening<'_>) -> Result<Box<dyn Session>, TextError>;

    /// Prepares for matches: openings follow from `seed`, or are the `lines` of a file.
    ///
    /// # Errors
    /// A line that is no opening of this game.
    fn host(&self, openings: &OpeningSpec, lines: Option<&OpeningLines>, seed: u64)
    -> Result<Box<dyn Host>, TextError>;

    /// Whether a player can play this game.
    ///
    /// # Errors
    /// Settings that do not go together in it, or an evaluator that it does not have.
    fn check_player(&self, player: &PlayerSpec) -> Result<(), TextError>;

    /// The player that `best` is in it, with the settings given; any other player as it is.
    ///
    /// # Errors
    /// Settings that this player does not take.
    fn in_game(&self, player: &PlayerSpec) -> Result<PlayerSpec, TextError>;

    /// The evaluators of leaves that it has: name and meaning.
    fn evaluators(&self) -> Vec<(&'static str, &'static str)>;

    /// Plies of generated openings, unless asked otherwise.
    fn usual_opening_plies(&self) -> u16;

    /// What makes openings of so many plies from `seed` that `judge` calls balanced, and checks others.
    ///
    /// # Errors
    /// A judge that cannot play this game.
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
        build(&self.engine, player, 0).map(|_| ())
    }

    fn in_game(&self, player: &PlayerSpec) -> Result<PlayerSpec, TextError> {
        player.in_game(self.engine.tables())
    }

    fn evaluators(&self) -> Vec<(&'static str, &'static str)> {
        self.engine.evaluators()
    }

    fn usual_opening_plies(&self) -> u16 {
        usual_plies(&*self.game, &*self.engine)
    }

    fn opening_maker(&self, plies: u16, seed: u64, judge: &OpeningJudge) -> Result<Box<dyn OpeningMaker>, TextError> {
        Ok(Box::new(Making::new(Arc::clone(&self.game), &self.engine, plies, seed, judge)?))
    }
}

/// Hides the type of `game`, which is played as `kit` knows it.
pub fn any_game<G: Notation>(game: G, kit: impl Kit<G>, tables: GameTables) -> Box<dyn AnyGame> {
    Box::new(Hidden { game: Arc::new(game), engine: Arc::new(KitEngine { kit, tables }) })
}

/// Makes a game of one family from the options after its name and the tables of the family.
pub type Maker = fn(options: &str, tables: GameTables) -> Result<Box<dyn AnyGame>, TextError>;

/// Games that share a name and differ in their options.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What they are asked for by.
    pub name: &'static str,
    /// The rules and the options in one line.
    pub summary: &'static str,
    /// Presets and other tables of all of them.
    pub tables: GameTables,
    /// Makes one of them.
    pub make: Maker,
}

impl Family {
    /// The family of `G`, whose games `make` makes.
    pub fn of<G: Notation>(tables: GameTables, make: Maker) -> Family {
        Family { name: G::NAME, summary: G::SUMMARY, tables, make }
    }
}

/// Every game that can be asked for by name.
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
    /// A preset that is no player.
    pub fn of(families: impl IntoIterator<Item = Family>) -> Result<Catalog, TextError> {
        let mut catalog = Catalog::empty();
        families.into_iter().try_for_each(|family| catalog.add(family).map(|_| ()))?;
        Ok(catalog)
    }

    /// Adds a user's own game, of which nothing but the rules is known, under its [`Notation::NAME`]; the latest of a name
    /// counts.
    ///
    /// # Errors
    /// A preset that is no player.
    pub fn register<G: Notation>(&mut self, presets: &'static [GamePreset]) -> Result<&mut Catalog, TextError> {
        let make: Maker = |options, tables| Ok(any_game(G::from_options(options)?, Plain, tables));
        self.add(Family::of::<G>(GameTables::with_presets(presets), make))
    }

    /// Adds a family of games, for instance one that chooses among several types by the size asked for.
    ///
    /// # Errors
    /// A preset that is no player.
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

    /// The game that `spec` names: `connect-four:10x11,hole=d3`.
    ///
    /// # Errors
    /// An unknown name, or options the game does not take.
    pub fn game(&self, spec: &str) -> Result<Box<dyn AnyGame>, TextError> {
        let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
        let family = self.families.iter().find(|family| family.name == name).ok_or_else(|| self.unknown(name))?;
        (family.make)(options, family.tables)
    }

    /// The tables of the family that `spec` names, if there is one.
    pub fn tables(&self, spec: &str) -> Option<&GameTables> {
        let name = spec.split(':').next().unwrap_or_default();
        self.families.iter().find(|family| family.name == name).map(|family| &family.tables)
    }

    fn unknown(&self, name: &str) -> TextError {
        let names: Vec<&str> = self.families.iter().map(|family| family.name).collect();
        let hint = did_you_mean(name, names.iter().copied());
        let expected = format!("expected one of {}{hint}", names.join(", "));
        TextError::new(format!("unknown game {name:?}"), expected, "`banyan games` lists them with their options")
    }
}
