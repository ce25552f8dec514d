//! `banyan man`: the manual pages.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process;

use anyhow::{Context, Result};
use clap::Args;
use clap_mangen::Man;

use crate::Exit;
use crate::interrupt;
use crate::output::terminal::Terminal;

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
    // Written beside the old pages first, so that a full disk leaves these unchanged.
    let draft = folder.join(format!("banyan-man.{}.tmp", process::id()));
    interrupt::set_temporary(Some(draft.clone()));
    let written = fs::create_dir_all(&draft).and_then(|()| clap_mangen::generate_to(command, &draft));
    let moved = written.and_then(|()| {
        fs::read_dir(&draft)?
            .try_for_each(|page| page.and_then(|page| fs::rename(page.path(), folder.join(page.file_name()))))
    });
    let _ = fs::remove_dir_all(&draft);
    interrupt::set_temporary(None);
    moved.with_context(cannot_write)?;
    writeln!(terminal.err, "wrote the manual pages to {}", folder.display())?;
    Ok(Exit::Done)
}
