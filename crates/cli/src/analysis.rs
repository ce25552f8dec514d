//! `banyan analysis`: searches many positions in parallel, requested as JSON lines.

use anyhow::{Result, bail};
use banyan_catalog::Catalog;
use banyan_core::TextError;
use banyan_protocols::analysis::{AnalysisServer, serve};
use clap::Args;

use crate::Exit;
use crate::server_args::{ServerArgs, exit_of, input, output};

/// Upper bound of `--threads`.
const MOST_THREADS: usize = 256;

#[derive(Debug, Args)]
pub(crate) struct AnalysisArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Positions searched in parallel; each search runs on the threads of its player.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    threads: usize,
}

pub(crate) fn run(args: &AnalysisArgs, catalog: &Catalog) -> Result<Exit> {
    if !(1..=MOST_THREADS).contains(&args.threads) {
        let expected = format!("expected 1 .. {MOST_THREADS} threads");
        bail!(TextError::new(format!("--threads {}", args.threads), expected, "try --threads 2"));
    }
    let server = AnalysisServer { setup: args.server.setup()?, threads: args.threads };
    exit_of(serve(catalog, &server, input(), output()))
}
