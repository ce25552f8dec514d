//! `banyan ugi`: serves all games over UGI.

use anyhow::Result;
use banyan_catalog::Catalog;

use crate::Exit;
use crate::terminal::Terminal;

pub(crate) fn run(catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    banyan_protocols::ugi::serve(catalog, std::io::stdin(), &mut terminal.out)?;
    Ok(Exit::Done)
}
