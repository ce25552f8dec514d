//! `banyan play`: a game in the terminal, each side a person or a player.

use std::fmt;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use banyan_catalog::{Budget, PRESETS, PlayerSpec};
use banyan_core::TextError;
use clap::Args;

use crate::Exit;
use crate::args::Place;
use crate::duel::{Duel, Setup};
use crate::interrupt::Interrupt;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// The game (see `banyan games`).
    #[arg(default_value = "connect-four")]
    game: String,

    #[command(flatten)]
    place: Place,

    /// Who begins: human, or a player (see `banyan players`).
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    first: Chair,

    /// Who answers.
    #[arg(long, default_value = "mcgs", value_name = "PLAYER")]
    second: Chair,

    /// What a player may spend: 1s, playouts=10000, 15m/game, or several joined by +.
    #[arg(long, default_value = "1s")]
    budget: Budget,

    /// Seed of the players' randomness; by default every game is another one.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
}

/// Who plays a side.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Chair {
    Person,
    Player(PlayerSpec),
}

impl FromStr for Chair {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Chair, TextError> {
        let (name, settings) = text.split_once(':').unwrap_or((text, ""));
        if name != "human" {
            let known = PRESETS.iter().any(|preset| preset.name == name);
            return text.parse().map(Chair::Player).map_err(|err: TextError| match known {
                true => err,
                false => TextError { expected: err.expected.replacen("one of", "human or one of", 1), ..err },
            });
        }
        if settings.is_empty() {
            return Ok(Chair::Person);
        }
        Err(TextError::new(format!("player {text:?}"), "human has nothing to set", "leave the settings out"))
    }
}

impl fmt::Display for Chair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Chair::Person => f.write_str("human"),
            Chair::Player(player) => player.fmt(f),
        }
    }
}

pub(crate) fn run(args: PlayArgs, terminal: &mut Terminal) -> Result<Exit> {
    let session = args.place.open(&args.game)?;
    let chairs = [args.first, args.second];
    for chair in &chairs {
        match chair {
            // People are not limited, but may ask for hints.
            Chair::Person => PlayerSpec::default().check(&args.budget)?,
            Chair::Player(player) => player.check(&args.budget)?,
        }
    }
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let setup = Setup { chairs, budget: args.budget, seed };
    Duel::new(session, setup, Interrupt::install()?, terminal).play()
}

fn seed_of_the_moment() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}
