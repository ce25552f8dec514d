//! `banyan botzone`: Reversi for Botzone.

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_protocols::botzone::{Life, serve};
use clap::Args;

use super::server_args::{ServerArgs, exit_of, input, output};
use crate::Exit;

#[derive(Debug, Args)]
// The platform allows one second, including the start of the program.
#[command(mut_arg("budget", |budget| budget.default_value("900ms")))]
pub(crate) struct BotzoneArgs {
    /// Game to play.
    #[arg(default_value = "reversi")]
    game: String,

    #[command(flatten)]
    server: ServerArgs,

    /// Request to be kept running and answer every request, instead of exiting after the first.
    #[arg(long)]
    keep_running: bool,
}

pub(crate) fn run(args: &BotzoneArgs, catalog: &Catalog) -> Result<Exit> {
    let game = catalog.game(&args.game)?;
    let life = if args.keep_running { Life::KeepRunning } else { Life::OneShot };
    exit_of(serve(game, args.server.setup()?, life, input(), output()))
}
