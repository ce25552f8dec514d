//! `banyan play`: a game in the terminal, each side a person or a player.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use banyan_catalog::{Budget, PlayerSpec};
use clap::Args;

use crate::Exit;
use crate::args::Place;
use crate::chair::Chair;
use crate::duel::{Duel, Setup};
use crate::engines::{self, EngineFile};
use crate::interrupt::Interrupt;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// The game (see `banyan games`).
    #[arg(default_value = "connect-four")]
    game: String,

    #[command(flatten)]
    place: Place,

    /// Who begins: human, a player (see `banyan players`) or an engine (see `banyan engines`).
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    first: String,

    /// Who answers.
    #[arg(long, default_value = banyan_catalog::DEFAULT_PLAYER, value_name = "PLAYER")]
    second: String,

    /// What a player may spend: 1s, playouts=10000, 15m/game, or several joined by +.
    #[arg(long, default_value = "1s")]
    budget: Budget,

    /// Seed of the players' randomness; by default every game is another one.
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,

    #[command(flatten)]
    engines: EngineFile,
}

pub(crate) fn run(args: PlayArgs, terminal: &mut Terminal) -> Result<Exit> {
    let session = args.place.open(&args.game)?;
    let players = args.engines.players()?;
    let [first, second] = [&args.first, &args.second].map(|text| Chair::parse(text, &players));
    let chairs = [first?, second?];
    for chair in &chairs {
        match chair {
            // People are not limited, but may ask for hints.
            Chair::Person => session.in_game(&PlayerSpec::default())?.check(&args.budget)?,
            Chair::Player(player) => {
                session.in_game(player)?.check(&args.budget)?;
                engines::try_out(player, &*session, &args.budget)?;
            }
        }
    }
    let seed = args.seed.unwrap_or_else(seed_of_the_moment);
    let setup = Setup { chairs, budget: args.budget, seed };
    Duel::new(session, setup, Interrupt::install()?, terminal)?.play()
}

fn seed_of_the_moment() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64)
}
