//! `banyan sau`: Dots and Boxes for the SAU game platform.

use anyhow::Result;
use clap::Args;

use crate::Exit;
use crate::builtin;
use crate::server_args::{ServerArgs, exit_of, input, output};

#[derive(Debug, Args)]
pub(crate) struct SauArgs {
    /// Game to play.
    #[arg(default_value = "dots-and-boxes")]
    game: String,

    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn run(args: &SauArgs) -> Result<Exit> {
    let game = builtin::catalog().game(&args.game)?;
    exit_of(banyan_protocols::sau::serve(game, args.server.setup()?, input(), output()))
}
