//! `banyan nboard`: Reversi for the program NBoard.

use anyhow::Result;
use clap::Args;

use crate::Exit;
use crate::builtin;
use crate::speaking::{Speaker, ended, heard, said};

#[derive(Debug, Args)]
pub(crate) struct NboardArgs {
    /// The game.
    #[arg(default_value = "reversi")]
    game: String,

    #[command(flatten)]
    speaker: Speaker,
}

pub(crate) fn run(args: &NboardArgs) -> Result<Exit> {
    let catalog = builtin::catalog();
    let game = catalog.game(&args.game)?;
    ended(banyan_protocols::nboard::serve(&catalog, game, args.speaker.setup()?, heard(), said()))
}
