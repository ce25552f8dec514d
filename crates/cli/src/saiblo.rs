//! `banyan saiblo`: Connect Four as a program that is put in place of one on Saiblo.

use anyhow::Result;
use banyan_catalog::{Budget, PlayerSpec};
use banyan_protocols::{Setup, saiblo};
use clap::Args;

use crate::Exit;
use crate::builtin;
use crate::speaking::{ended, heard, said};

/// The platform's limits are one thread, 1 GB and 3 s a move.
#[derive(Debug, Args)]
pub(crate) struct SaibloArgs {
    /// Who answers (see `banyan players`).
    #[arg(long, default_value = "mcgs:memory-mib=768")]
    player: PlayerSpec,

    /// What a move may cost: 1s, playouts=10000, 15m/game, or several joined by +.
    #[arg(long, default_value = "2.7s")]
    budget: Budget,

    /// Seed of all randomness.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    seed: u64,
}

pub(crate) fn run(args: &SaibloArgs) -> Result<Exit> {
    let setup = Setup::new(args.player.clone(), args.budget, args.seed)?;
    ended(saiblo::serve(&builtin::catalog(), setup, heard(), said()))
}
