//! Arguments that several subcommands share.

use anyhow::Result;
use banyan_catalog::{Catalog, Opening, Session};
use banyan_core::TextError;
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
    /// Game, such as connect-four:10x11,hole=d3 (see `banyan games`).
    pub(crate) game: String,

    #[command(flatten)]
    pub(crate) place: Place,
}

/// A position in a game, as moves or as text.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Place {
    /// Moves from the starting position, such as "4 4 3".
    #[arg(long, value_name = "MOVES", conflicts_with = "position", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,

    /// Position as one line of text, as printed by `banyan show`.
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) position: Option<String>,

    /// Position of an opening by its name, such as Tiger (see `banyan openings names`).
    #[arg(long, value_name = "NAME", conflicts_with_all = ["moves", "position"])]
    pub(crate) opening: Option<String>,
}

impl At {
    pub(crate) fn open(&self, catalog: &Catalog) -> Result<Session> {
        self.place.open(catalog, &self.game)
    }
}

impl Place {
    pub(crate) fn open(&self, catalog: &Catalog, game: &str) -> Result<Session> {
        let game = catalog.game(game)?;
        let opening = match (&self.moves, &self.position, &self.opening) {
            (_, Some(position), _) => Opening::Position(position),
            (Some(moves), ..) => Opening::Moves(moves),
            (.., Some(name)) => Opening::Moves(game.opening_names().find(name)?.moves),
            (None, None, None) => Opening::Start,
        };
        Ok(game.open(opening)?)
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
