//! `banyan sau`: Dots and Boxes for the SAU game platform.

use anyhow::Result;
use clap::Args;

use crate::Exit;
use crate::builtin;
use crate::speaking::{Speaker, ended, heard, said};

#[derive(Debug, Args)]
pub(crate) struct SauArgs {
    /// The game.
    #[arg(default_value = "dots-and-boxes")]
    game: String,

    #[command(flatten)]
    speaker: Speaker,
}

pub(crate) fn run(args: &SauArgs) -> Result<Exit> {
    let game = builtin::catalog().game(&args.game)?;
    ended(banyan_protocols::sau::serve(game, args.speaker.setup()?, heard(), said()))
}
