//! `analyse --tree FILE`: the top of a search graph as a file. Errors that can be detected early are reported before the
//! search.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use banyan_catalog::exploration::{Form, MOST_NODES};
use banyan_catalog::{PlayerSpec, Seat, Session};
use banyan_core::TextError;

/// A writable file, its format and the player whose search it will hold.
pub(crate) struct TreeFile<'a> {
    path: &'a Path,
    form: Form,
    player: &'a PlayerSpec,
}

impl<'a> TreeFile<'a> {
    pub(crate) fn new(path: &'a Path, player: &'a PlayerSpec) -> Result<TreeFile<'a>> {
        let form = Form::of_file(path).map_err(|err| TextError { found: format!("--tree {}", err.found), ..err })?;
        if !player.keeps_its_search() {
            bail!(TextError::new("--tree", format!("{player} keeps no search tree"), "try --player mcgs"));
        }
        try_to_write(path).map_err(|err| cannot_write(path, &err))?;
        Ok(TreeFile { path, form, player })
    }

    /// Writes the search of the player at `seat` for the current position.
    pub(crate) fn write(&self, session: &dyn Session, seat: Seat) -> Result<()> {
        let explored = session.explored(seat, MOST_NODES);
        let explored = explored.with_context(|| format!("--tree: {} keeps no search tree", self.player))?;
        fs::write(self.path, self.form.write(&explored)).map_err(|err| cannot_write(self.path, &err))
    }
}

/// Opens the file for writing without changing it.
fn try_to_write(path: &Path) -> io::Result<()> {
    let is_there = path.symlink_metadata().is_ok();
    drop(OpenOptions::new().write(true).create(true).truncate(false).open(path)?);
    if is_there { Ok(()) } else { fs::remove_file(path) }
}

fn cannot_write(path: &Path, err: &io::Error) -> anyhow::Error {
    anyhow!("cannot write {}: {err}; try another name", path.display())
}
