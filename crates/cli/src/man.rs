//! `banyan man`: the manual page.

use std::io::Write;

use anyhow::Result;
use clap_mangen::Man;

use crate::Exit;
use crate::terminal::Terminal;

pub(crate) fn run(command: clap::Command, terminal: &mut Terminal) -> Result<Exit> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    terminal.out.write_all(&page)?;
    Ok(Exit::Done)
}
