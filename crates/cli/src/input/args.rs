//! Arguments that several subcommands share.

use anyhow::Result;
use banyan_catalog::{Catalog, Opening, Session};
use banyan_core::TextError;
use banyan_formats::{Reading, half_width_text};
use clap::{Args, ValueEnum};

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A game, and a position in it.
#[derive(Clone, Debug, Args)]
pub(crate) struct At {
    /// Game, such as connect-four:10x11,hole=d3 (see `banyan games`); may be left out if the moves, the position or the
    /// opening show it.
    #[arg(required_unless_present_any = ["moves", "position", "opening"])]
    pub(crate) game: Option<String>,

    #[command(flatten)]
    pub(crate) place: Place,
}

/// A position in a game, as moves or as text.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Place {
    /// Moves from the starting position, such as "4 4 3", "f5d6c3" or "1. f5 d6 2. c3"; or a link, GGF or another record
    /// that --record reads.
    #[arg(long, value_name = "MOVES", conflicts_with = "position", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,

    /// Position as text, as printed by `banyan show`, or with B and W, in several lines, or as a diagram with coordinates.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,

    /// Position of an opening by its name, such as Tiger (see `banyan openings names`).
    #[arg(long, value_name = "NAME", conflicts_with_all = ["moves", "position"])]
    pub(crate) opening: Option<String>,
}

impl At {
    pub(crate) fn open(&self, catalog: &Catalog) -> Result<Session> {
        self.place.open(catalog, self.game.as_deref())
    }
}

impl Place {
    /// Without a game, it is the one that the moves or the position show.
    pub(crate) fn open(&self, catalog: &Catalog, game: Option<&str>) -> Result<Session> {
        let game = game.map(half_width_text);
        let game = game.as_deref();
        if let Some(name) = &self.opening {
            // An unknown name is refused by a game whose openings have names.
            let named = || catalog.families().iter().find(|family| !family.tables.openings.is_empty());
            let shown =
                || catalog.family_of_opening(name).or_else(named).map_or(catalog.first_game(), |family| family.name);
            let game = catalog.game(game.unwrap_or_else(shown))?;
            return Ok(game.open(Opening::Moves(game.opening_names().find(name)?.moves))?);
        }
        let (moves, position) =
            (self.moves.as_deref().map(half_width_text), self.position.as_deref().map(half_width_text));
        let opening = match (&moves, &position) {
            (_, Some(position)) => Opening::Position(position),
            (Some(moves), None) => Opening::Moves(moves),
            (None, None) => Opening::Start,
        };
        Ok(Reading::new(catalog, game).opening(opening)?)
    }
}

/// Maximum number of threads of a command, as for players.
const MOST_THREADS: u32 = 256;

/// Checks the value of `--threads`.
pub(crate) fn check_threads(threads: u32) -> Result<(), TextError> {
    if (1..=MOST_THREADS).contains(&threads) {
        return Ok(());
    }
    let expected = format!("expected 1 .. {MOST_THREADS} threads");
    Err(TextError::new(format!("--threads {threads}"), expected, "try --threads 1"))
}
