//! `analyse --tree FILE`: the top of a search graph as a file. Errors that can be detected early are reported before
//! the search.

use std::path::Path;

use anyhow::{Context, Result, bail};
use banyan_catalog::exploration::MOST_NODES;
use banyan_catalog::{PlayerSpec, Seat, Session};
use banyan_core::TextError;
use banyan_review::drawing::Form;

use crate::output::output_file;

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
            bail!(TextError::new(
                "--tree",
                format!("expected a player with a search tree, not {player}"),
                "try --player mcgs"
            ));
        }
        output_file::check(path)?;
        Ok(TreeFile { path, form, player })
    }

    /// Writes the search of the player at `seat` for the current position.
    pub(crate) fn write(&self, session: &Session, seat: Seat) -> Result<()> {
        let explored = session.explored(seat, MOST_NODES);
        let explored = explored.with_context(|| format!("--tree: {} keeps no search tree", self.player))?;
        output_file::write(self.path, self.form.write(&explored))
    }
}
