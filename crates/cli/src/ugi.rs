//! `banyan ugi`: answers programs that ask for moves over UGI.

use anyhow::Result;
use banyan_catalog::Catalog;

use crate::Exit;
use crate::terminal::Terminal;

pub(crate) fn run(terminal: &mut Terminal) -> Result<Exit> {
    banyan_protocols::ugi::serve(&Catalog::builtin(), std::io::stdin(), &mut terminal.out)?;
    Ok(Exit::Done)
}
