//! `banyan botzone`: Reversi for Botzone.

use anyhow::Result;
use banyan_protocols::botzone::{Life, serve};
use clap::Args;

use crate::Exit;
use crate::builtin;
use crate::speaking::{Speaker, ended, heard, said};

#[derive(Debug, Args)]
// The platform waits for a second, the start of the program included.
#[command(mut_arg("budget", |budget| budget.default_value("900ms")))]
pub(crate) struct BotzoneArgs {
    /// The game.
    #[arg(default_value = "reversi")]
    game: String,

    #[command(flatten)]
    speaker: Speaker,

    /// Answer one request after another and ask to be kept running, instead of ending after the first.
    #[arg(long)]
    keep_running: bool,
}

pub(crate) fn run(args: &BotzoneArgs) -> Result<Exit> {
    let game = builtin::catalog().game(&args.game)?;
    let life = if args.keep_running { Life::KeepRunning } else { Life::OneShot };
    ended(serve(game, args.speaker.setup()?, life, heard(), said()))
}
