//! `banyan saiblo`: Connect Four engine for Saiblo.

use anyhow::Result;
use banyan_catalog::{Budget, Catalog, PlayerSpec};
use banyan_protocols::{Setup, saiblo};
use clap::Args;

use super::server_args::{exit_of, input, output};
use crate::Exit;
use crate::input::level::LevelArg;

/// The platform's limits are one thread, 1 GB and 3 s a move.
#[derive(Debug, Args)]
pub(crate) struct SaibloArgs {
    /// Player that chooses the moves (see `banyan players`).
    #[arg(long, default_value = "mcgs:memory-mib=768")]
    player: PlayerSpec,

    #[command(flatten)]
    level: LevelArg,

    /// Budget per move: 1s, playouts=10000, 15m/game; join several limits with +.
    #[arg(long, default_value = "2.7s")]
    budget: Budget,

    /// Random seed.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,
}

pub(crate) fn run(args: &SaibloArgs, catalog: &Catalog) -> Result<Exit> {
    let level = args.level.name().map(str::parse::<PlayerSpec>).transpose()?;
    let setup = Setup::new(level.unwrap_or_else(|| args.player.clone()), args.budget, args.seed)?;
    exit_of(saiblo::serve(catalog, setup, input(), output()))
}
