//! The end of a rating, tuning or ladder: its files and what is printed.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::view::json_line;
use banyan_matches::MatchFolder;
use banyan_matches::exports::{Report, html};
use banyan_matches::frame::Kind;
use serde::Serialize;

use super::args::FolderArgs;
use crate::output::output_file;
use crate::output::results;
use crate::output::terminal::Terminal;
use crate::output::wrap::wrapped;

/// A finished or interrupted rating, tuning or ladder to be written.
pub(crate) struct Ending<'a> {
    pub(crate) kind: Kind,
    pub(crate) folder: &'a MatchFolder,
    pub(crate) args: &'a FolderArgs,
    /// A further file for the page.
    pub(crate) html: Option<&'a String>,
}

impl Ending<'_> {
    /// Writes the result and its page, and prints the tables, the notes and the warnings.
    pub(crate) fn write(&self, result: &impl Serialize, report: &Report, terminal: &mut Terminal) -> Result<()> {
        let (json, page) = (json_line(result), html(report));
        self.folder.write_file(self.kind.result(), &format!("{json}\n"))?;
        self.folder.write_file("report.html", &page)?;
        if let Some(path) = self.html {
            output_file::write(path, &page)?;
        }
        if self.args.quiet {
            return Ok(());
        }
        if self.args.json {
            writeln!(terminal.out, "{json}")?;
        } else {
            results::print_tables(report, terminal)?;
            writeln!(terminal.out)?;
            report.notes.iter().try_for_each(|note| wrapped(terminal, "", "", note))?;
        }
        results::print_warnings(&report.warnings, Some(self.folder.path()), terminal)
    }
}
