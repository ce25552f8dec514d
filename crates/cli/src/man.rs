//! `banyan man`: the manual pages.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use clap_mangen::Man;

use crate::Exit;
use crate::terminal::Terminal;

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// Write the pages of all commands into this folder, as banyan.1, banyan-play.1 and so on.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(crate) fn run(args: &ManArgs, command: clap::Command, terminal: &mut Terminal) -> Result<Exit> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        terminal.out.write_all(&page)?;
        return Ok(Exit::Done);
    };
    let cannot_write = || format!("cannot write to {}", folder.display());
    fs::create_dir_all(folder).with_context(cannot_write)?;
    clap_mangen::generate_to(command, folder).with_context(cannot_write)?;
    writeln!(terminal.err, "wrote the manual pages to {}", folder.display())?;
    Ok(Exit::Done)
}
