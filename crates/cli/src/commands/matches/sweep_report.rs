//! The result of a sweep as a table, as JSON and as a plot.

use std::io::Write;

use anyhow::Result;
use banyan_catalog::view::json_line;
use banyan_matches::MatchFolder;
use banyan_matches::exports::{sweep_report, sweep_svg};
use banyan_matches::sweep::{StageGames, SweepResult};

use crate::output::results;
use crate::output::terminal::Terminal;

/// Writes sweep.json and sweep.svg.
pub(crate) fn write(folder: &MatchFolder, result: &SweepResult) -> Result<()> {
    folder.write_file("sweep.json", &(json_line(result) + "\n"))?;
    folder.write_file("sweep.svg", &sweep_svg(result))?;
    Ok(())
}

/// Prints the result on stdout and the warnings of the games on stderr.
pub(crate) fn print(result: &SweepResult, games: &[StageGames<'_>], json: bool, terminal: &mut Terminal) -> Result<()> {
    let report = sweep_report(games, result);
    if json {
        writeln!(terminal.out, "{}", json_line(result))?;
    } else {
        results::print_tables(&report, terminal)?;
        writeln!(terminal.out, "\n{}", report.notes.join("\n"))?;
    }
    results::print_warnings(&report.warnings, None, terminal)
}
