//! `banyan nboard`: Reversi for the program NBoard.

use anyhow::Result;
use banyan_catalog::Catalog;
use clap::Args;

use super::server_args::{ServerArgs, exit_of, input, output};
use crate::Exit;

#[derive(Debug, Args)]
pub(crate) struct NboardArgs {
    /// Game to play.
    #[arg(default_value = "reversi")]
    game: String,

    #[command(flatten)]
    server: ServerArgs,
}

pub(crate) fn run(args: &NboardArgs, catalog: &Catalog) -> Result<Exit> {
    let game = catalog.game(&args.game)?;
    exit_of(banyan_protocols::nboard::serve(catalog, game, args.server.setup()?, input(), output()))
}
