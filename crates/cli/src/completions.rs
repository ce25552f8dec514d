//! `banyan completions`: scripts that complete the command in a shell.

use std::io::Write;

use anyhow::Result;
use clap::{Args, Command};
use clap_complete::Shell;

use crate::Exit;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell the script is for.
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, command: &mut Command, terminal: &mut Terminal) -> Result<Exit> {
    // Into memory first: the generator panics where it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, command, "banyan", &mut script);
    terminal.out.write_all(&script)?;
    Ok(Exit::Done)
}
