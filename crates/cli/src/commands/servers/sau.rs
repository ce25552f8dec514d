//! `banyan sau`: Dots and Boxes for the SAU game platform.

use anyhow::Result;
use banyan_catalog::Catalog;
use clap::Args;

use super::server_args::{ServerArgs, exit_of, input, output};
use crate::Exit;

#[derive(Debug, Args)]
pub(crate) struct SauArgs {
    /// Game to play.
    #[arg(default_value = "dots-and-boxes")]
    game: String,

    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn run(args: &SauArgs, catalog: &Catalog) -> Result<Exit> {
    let game = catalog.game(&args.game)?;
    exit_of(banyan_protocols::sau::serve(game, args.server.setup()?, input(), output()))
}
