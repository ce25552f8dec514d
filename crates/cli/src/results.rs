//! The result of a match: tables for people, an event for programs, files.

use std::fs;
use std::io::Write;

use anyhow::{Context, Result};
use banyan_catalog::exports::{export_for, sheets};
use banyan_catalog::matches::{MatchConfig, Summary};
use banyan_catalog::view::json_line;

use crate::table;
use crate::terminal::Terminal;

/// Shows the result on stdout, and on stderr what a reader should know before believing it.
pub(crate) fn print(summary: &Summary, json: bool, terminal: &mut Terminal) -> Result<()> {
    if json {
        writeln!(terminal.out, "{}", json_line(&summary.done()))?;
        return Ok(());
    }
    for (i, sheet) in sheets(summary).into_iter().enumerate() {
        let headings: Vec<&str> = sheet.headings.iter().map(String::as_str).collect();
        let mut lines = table::table(&headings);
        lines.add_rows(sheet.rows);
        let gap = if i == 0 { "" } else { "\n" };
        write!(terminal.out, "{gap}{}\n{}", sheet.title, table::text(&lines))?;
    }
    for warning in &summary.warnings {
        writeln!(terminal.err, "warning: {}", warning.text)?;
    }
    Ok(())
}

/// Whether every file has a name that says how to write it.
///
/// # Errors
/// The first that has none.
pub(crate) fn check_exports(paths: &[String]) -> Result<()> {
    paths.iter().try_for_each(|path| export_for(path).map(drop)).map_err(Into::into)
}

/// Writes the result to every file.
pub(crate) fn export(paths: &[String], config: &MatchConfig, summary: &Summary) -> Result<()> {
    for path in paths {
        let text = export_for(path)?.write(config, summary);
        fs::write(path, text).with_context(|| format!("cannot write {path}"))?;
    }
    Ok(())
}
