//! `banyan ugi`: serves all games over UGI.

use anyhow::Result;

use crate::Exit;
use crate::builtin;
use crate::terminal::Terminal;

pub(crate) fn run(terminal: &mut Terminal) -> Result<Exit> {
    banyan_protocols::ugi::serve(&builtin::catalog(), std::io::stdin(), &mut terminal.out)?;
    Ok(Exit::Done)
}
