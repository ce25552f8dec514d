//! The end of what is played in a folder: its files and what is printed.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_matches::MatchFolder;
use banyan_matches::exports::{Details, Outcome, write_result};
use banyan_matches::frame::Kind;
use banyan_matches::sweep::StageGames;

use super::args::FolderArgs;
use crate::output::results;
use crate::output::terminal::Terminal;

/// Something finished or interrupted, to be written and printed.
pub(crate) struct Ending<'a> {
    pub(crate) catalog: &'a Catalog,
    pub(crate) kind: Kind,
    pub(crate) folder: &'a MatchFolder,
    pub(crate) args: &'a FolderArgs,
}

impl<'f> Ending<'f> {
    /// Writes the result, its page and its exports, and prints the tables, the notes and the warnings.
    pub(crate) fn write<'a>(
        &self,
        stages: &[StageGames<'a>],
        details: Details,
        terminal: &mut Terminal,
    ) -> Result<Outcome<'a>>
    where
        'f: 'a,
    {
        let details = Details { language: terminal.language, ..details };
        let outcome = Outcome::of(self.catalog, self.kind, stages, details)?;
        write_result(self.folder, &outcome)?;
        results::export(&self.args.export, &outcome)?;
        if self.args.quiet {
            return Ok(outcome);
        }
        results::note_exports(&self.args.export, terminal)?;
        let path = self.folder.path();
        results::print(&outcome, self.args.json, Some(path), terminal)?;
        if let Some(page) = self.kind.page().filter(|_| !self.args.json) {
            writeln!(terminal.err, "report in {}", path.join(page).display())?;
        }
        Ok(outcome)
    }
}
