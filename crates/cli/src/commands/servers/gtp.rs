//! `banyan gtp`: Reversi for Sabaki, GoGui and match runners.

use anyhow::Result;
use banyan_catalog::Catalog;
use clap::Args;

use super::server_args::{ServerArgs, exit_of, input, output};
use crate::Exit;

#[derive(Debug, Args)]
pub(crate) struct GtpArgs {
    /// Game to play.
    #[arg(default_value = "reversi")]
    game: String,

    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn run(args: &GtpArgs, catalog: &Catalog) -> Result<Exit> {
    let game = catalog.game(&args.game)?;
    exit_of(banyan_protocols::gtp::serve(catalog, game, args.server.setup()?, input(), output()))
}
