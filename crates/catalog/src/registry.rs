//! Games by name.

use std::sync::Arc;

use banyan_core::{Fault, Notation, Settings, TextError};

use crate::matches::{Build, Host, Hosting, OpeningLine, OpeningLines, OpeningSpec, usual_plies};
use crate::near_miss::did_you_mean;
use crate::opening_set::{self, Making, OpeningJudge, OpeningMaker};
use crate::players::PlayerSpec;
use crate::session::{Opening, Session};
use crate::sitting::Sitting;

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

    /// Plies of generated openings, unless asked otherwise.
    fn usual_opening_plies(&self) -> u16;

    /// Makes openings of so many plies from `seed` that `judge` calls balanced.
    fn make_openings(&self, plies: u16, seed: u64, judge: &OpeningJudge) -> Box<dyn OpeningMaker>;

    /// What is wrong with each of `lines`, in their order; `stop` is asked before every judgement.
    ///
    /// # Errors
    /// The search was stopped, or the judge failed.
    fn check_openings(
        &self,
        lines: &[OpeningLine],
        judge: &OpeningJudge,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Option<String>>, Fault>;
}

struct Hidden<G: Notation>(Arc<G>);

impl<G: Notation> AnyGame for Hidden<G> {
    fn spec(&self) -> String {
        self.0.spec()
    }

    fn open(&self, opening: Opening<'_>) -> Result<Box<dyn Session>, TextError> {
        Ok(Box::new(Sitting::open(Arc::clone(&self.0), opening)?))
    }

    fn host(
        &self,
        openings: &OpeningSpec,
        lines: Option<&OpeningLines>,
        seed: u64,
    ) -> Result<Box<dyn Host>, TextError> {
        let build: Build<G> = PlayerSpec::build::<G>;
        Ok(Box::new(Hosting::new(Arc::clone(&self.0), openings, lines, seed, build)?))
    }

    fn usual_opening_plies(&self) -> u16 {
        usual_plies(&*self.0)
    }

    fn make_openings(&self, plies: u16, seed: u64, judge: &OpeningJudge) -> Box<dyn OpeningMaker> {
        Box::new(Making::new(Arc::clone(&self.0), plies, seed, judge))
    }

    fn check_openings(
        &self,
        lines: &[OpeningLine],
        judge: &OpeningJudge,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Option<String>>, Fault> {
        opening_set::check(&*self.0, lines, judge, stop)
    }
}

/// Hides the type of `game`.
pub fn any_game<G: Notation>(game: G) -> Box<dyn AnyGame> {
    Box::new(Hidden(Arc::new(game)))
}

/// Makes a game of one family from the options after its name.
pub type Maker = fn(options: &str) -> Result<Box<dyn AnyGame>, TextError>;

/// Games that share a name and differ in their options.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What they are asked for by.
    pub name: &'static str,
    /// The rules and the options in one line.
    pub summary: &'static str,
    /// [`strong_settings`](banyan_core::Game::strong_settings) of all of them.
    pub strong_settings: &'static [Settings],
    /// Makes one of them.
    pub make: Maker,
}

impl Family {
    /// The family of `G`, whose games `make` makes.
    pub fn of<G: Notation>(make: Maker) -> Family {
        Family { name: G::NAME, summary: G::SUMMARY, strong_settings: G::strong_settings(), make }
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

    /// Adds a user's own game under its [`Notation::NAME`]; the latest of a name counts.
    pub fn register<G: Notation>(&mut self) -> &mut Catalog {
        let make: Maker = |options| Ok(any_game(G::from_options(options)?));
        self.add(Family::of::<G>(make))
    }

    /// Adds a family of games, for instance one that chooses among several types by the size asked for.
    pub fn add(&mut self, family: Family) -> &mut Catalog {
        self.families.retain(|known| known.name != family.name);
        self.families.push(family);
        self
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
        (family.make)(options)
    }

    fn unknown(&self, name: &str) -> TextError {
        let names: Vec<&str> = self.families.iter().map(|family| family.name).collect();
        let hint = did_you_mean(name, names.iter().copied());
        let expected = format!("expected one of {}{hint}", names.join(", "));
        TextError::new(format!("unknown game {name:?}"), expected, "`banyan games` lists them with their options")
    }
}
