//! `banyan play`: a game in the terminal, each side played by a person or a player.

mod clocks;
mod files;
mod interactive_game;
mod lessons;
pub(crate) mod participant;
mod prompt;
pub(crate) mod request;
mod setup;
mod words;

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use banyan_catalog::{Budget, Catalog, DEFAULT_PLAYER, Entry, PlayerSpec};
use banyan_core::TextError;
use clap::{Args, ValueEnum};

use crate::Exit;
use crate::input::args::Place;
use crate::input::engine_file::{self, EngineFile};
use crate::input::language::LanguageArg;
use crate::input::level::level_name;
use crate::output::terminal::Terminal;
use interactive_game::{InteractiveGame, Shown};
use participant::Participant;
use setup::Setup;

/// Whether something is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Switch {
    On,
    Off,
}

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Game (see `banyan games`).
    // The default is the first game of the catalog, added by `command::with_games`.
    #[arg(required = false)]
    game: Option<String>,

    #[command(flatten)]
    place: Place,

    /// First side: human, a player (see `banyan players`) or an engine (see `banyan engines`). @ sets the budget of one
    /// side: mcgs@playouts=100.
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    first: String,

    /// Second side, as for --first.
    #[arg(long, default_value = DEFAULT_PLAYER, value_name = "PLAYER")]
    second: String,

    /// Level of the computer, 1 to 10 (see `banyan players`): --second level-N, or --first level-N if the second side is
    /// human.
    #[arg(long, value_name = "N", value_parser = level_name)]
    level: Option<&'static str>,

    /// Budget of a player per move: 1s, playouts=10000, 15m/game; join several limits with +.
    #[arg(long, default_value = "1s")]
    budget: Budget,

    /// Random seed of the players [default: a different one for each game].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Whether the board shows what to type for each move [default: on if a person plays on a board of edges].
    #[arg(long, value_enum, value_name = "SWITCH")]
    names: Option<Switch>,

    /// Show what the players think while they search: playouts, chances, expected moves.
    #[arg(long)]
    show_thinking: bool,

    #[command(flatten)]
    language: LanguageArg,

    #[command(flatten)]
    engines: EngineFile,
}

impl PlayArgs {
    /// The participants as text.
    ///
    /// # Errors
    /// A level, and another player on the side that it would have.
    fn sides(&self) -> Result<[&str; 2], TextError> {
        let is = |text: &str, name: &str| text.eq_ignore_ascii_case(name);
        match (self.level, &*self.first, &*self.second) {
            (None, first, second) => Ok([first, second]),
            (Some(level), first, second) if is(first, "human") && is(second, "human") => Ok([level, second]),
            (Some(level), first, second) if is(second, DEFAULT_PLAYER) => Ok([first, level]),
            (Some(level), first, second) => {
                let (option, other) = if is(second, "human") { ("--first", first) } else { ("--second", second) };
                let expected = "expected one player for that side";
                Err(TextError::new(
                    format!("{level} by --level and {option} {other}"),
                    expected,
                    "leave one of them out",
                ))
            }
        }
    }
}

pub(crate) fn run(args: PlayArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let session = args.place.open(catalog, args.game.as_deref())?;
    let players = args.engines.players()?;
    let [first, second] = args.sides()?.map(|text| Participant::parse(text, &players));
    let participants = [first?, second?];
    let mut sharing = Vec::new();
    for participant in &participants {
        match participant {
            // Humans have no limits, but their hints do.
            Participant::Human => session.in_game(&PlayerSpec::default())?.check(&args.budget)?,
            Participant::Player(entry) => {
                let Entry { player, budget: own } = &**entry;
                let (budget, in_game) = (own.unwrap_or(args.budget), session.in_game(player)?);
                in_game.check(&budget)?;
                match own {
                    Some(own) => in_game.refuse_unused(own)?,
                    None => sharing.push(in_game),
                }
                engine_file::try_out(player, &session, &budget)?;
            }
        }
    }
    PlayerSpec::refuse_unused_by_all(&sharing, &args.budget)?;
    let seed = args.seed.unwrap_or_else(seed_from_clock);
    let setup = Setup { participants, budget: args.budget, seed };
    let names = args.names.map(|names| names == Switch::On);
    let shown = Shown { names, thinking: args.show_thinking, language: args.language };
    terminal.language = args.language.language();
    InteractiveGame::new(catalog, session, setup, shown, terminal)?.play()
}

fn seed_from_clock() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}
