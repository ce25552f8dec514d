//! `banyan completions`: shell completion scripts.

use std::io::Write;

use anyhow::Result;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::Exit;
use crate::output::terminal::Terminal;
use crate::program::program;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// Shell to generate the script for.
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, command: &mut Command, terminal: &mut Terminal) -> Result<Exit> {
    // Into memory first, because the generator panics on a write error.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, program(), &mut script);
    terminal.out.write_all(&script)?;
    Ok(Exit::Done)
}
