//! `banyan man`: the manual page.

use std::io::Write;

use anyhow::Result;
use clap::CommandFactory;
use clap_mangen::Man;

use crate::Exit;
use crate::args::Cli;
use crate::terminal::Terminal;

pub(crate) fn run(terminal: &mut Terminal) -> Result<Exit> {
    let mut page = Vec::new();
    Man::new(Cli::command()).render(&mut page)?;
    terminal.out.write_all(&page)?;
    Ok(Exit::Done)
}
