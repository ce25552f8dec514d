//! The result of a folder: of a match, sweep, ablation, tuning, rating or ladder.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_matches::exports::StoredGames;

use crate::Exit;
use crate::output::results;
use crate::output::terminal::Terminal;
use crate::output::wrap::wrapped;
use crate::program::{program, shell_word};

/// Prints the result of a folder and writes it to the files of `exports`. Needs no player and no engine of its games.
pub(super) fn show(
    catalog: &Catalog,
    path: &Path,
    exports: &[String],
    json: bool,
    terminal: &mut Terminal,
) -> Result<Exit> {
    results::check_exports(exports, None)?;
    let stored = StoredGames::read(catalog, path)?;
    let outcome = stored.outcome(catalog, terminal.language)?;
    results::export(exports, &outcome)?;
    results::note_exports(exports, terminal)?;
    if json {
        writeln!(terminal.out, "{}", outcome.json())?;
        return Ok(Exit::Done);
    }
    let report = outcome.report();
    writeln!(terminal.out, "{}", report.heading)?;
    report.facts.iter().try_for_each(|fact| wrapped(terminal, "", "", fact))?;
    if !report.sheets.is_empty() {
        writeln!(terminal.out)?;
    }
    results::print_tables(report, terminal)?;
    results::print_notes(report, terminal)?;
    results::print_lost(path, report, terminal)?;
    results::print_warnings(&report.warnings, Some(path), terminal)?;
    if let Some([played, planned]) = outcome.missing() {
        let (command, path) = (outcome.kind().command(), shell_word(&path.display().to_string()));
        writeln!(terminal.err, "{played} of {planned} pairs are played; resume with")?;
        writeln!(terminal.err, "  {} {command} --resume {path}", program())?;
    }
    Ok(Exit::Done)
}
