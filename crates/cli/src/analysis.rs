//! `banyan analysis`: many positions at once, asked for in lines of JSON.

use anyhow::{Result, bail};
use banyan_core::TextError;
use banyan_protocols::analysis::{AnalysisServer, serve};
use clap::Args;

use crate::Exit;
use crate::builtin;
use crate::speaking::{Speaker, ended, heard, said};

/// More positions at once than any machine has use for.
const MOST_THREADS: usize = 256;

#[derive(Debug, Args)]
pub(crate) struct AnalysisArgs {
    #[command(flatten)]
    speaker: Speaker,

    /// Positions searched at once, each on as many threads as its player has.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    threads: usize,
}

pub(crate) fn run(args: &AnalysisArgs) -> Result<Exit> {
    if !(1..=MOST_THREADS).contains(&args.threads) {
        let expected = format!("1 .. {MOST_THREADS} threads");
        bail!(TextError::new(format!("--threads {}", args.threads), expected, "try --threads 2"));
    }
    let server = AnalysisServer { setup: args.speaker.setup()?, threads: args.threads };
    ended(serve(&builtin::catalog(), &server, heard(), said()))
}
