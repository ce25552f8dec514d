//! `banyan analysis`: searches many positions in parallel, requested as JSON lines.

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_protocols::analysis::{AnalysisServer, serve};
use clap::Args;

use super::server_args::{ServerArgs, exit_of, input, output};
use crate::Exit;
use crate::input::args::check_threads;

#[derive(Debug, Args)]
pub(crate) struct AnalysisArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Positions searched in parallel; each search runs on the threads of its player.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    threads: u32,
}

pub(crate) fn run(args: &AnalysisArgs, catalog: &Catalog) -> Result<Exit> {
    check_threads(args.threads)?;
    let server = AnalysisServer { setup: args.server.setup()?, threads: args.threads as usize };
    exit_of(serve(catalog, &server, input(), output()))
}
