//! Results as tables, as a JSON object and as files.

use std::io::Write;
use std::path::{self, Path};

use anyhow::Result;
use banyan_catalog::view::json_line;
use banyan_core::TextError;
use banyan_matches::Warning;
use banyan_matches::exports::{Outcome, Report, Sheet, ShortNames, export_for};
use banyan_matches::frame::Kind;

use crate::output::output_file;
use crate::output::table::Table;
use crate::output::terminal::Terminal;
use crate::output::wrap::{wrapped, wrapped_settings};
use crate::program::{program, shell_word};

/// Prints the tables of a report with their titles.
pub(crate) fn print_tables(report: &Report, terminal: &mut Terminal) -> Result<()> {
    let fits = report.sheets.iter().all(|sheet| Table::of(sheet).names_fit(terminal.width));
    let (mut sheets, mut gap) = (&report.sheets, "");
    if let Some(ShortNames { legend, sheets: short }) = report.short.as_ref().filter(|_| !fits) {
        writeln!(terminal.out, "{}", report.language.say("table.legend", &[]))?;
        let indent = legend.iter().map(|[name, _]| name.len()).max().unwrap_or(0) + 2;
        for [name, full] in legend {
            wrapped_settings(terminal, &format!("{name:<indent$}"), &" ".repeat(indent), full)?;
        }
        (sheets, gap) = (short, "\n");
    }
    for sheet in sheets {
        write!(terminal.out, "{gap}")?;
        print_table(sheet, terminal)?;
        gap = "\n";
    }
    Ok(())
}

/// Prints the result: an object of JSON, or tables and notes; `record` is the folder of the games, if there is one.
pub(crate) fn print(outcome: &Outcome<'_>, json: bool, record: Option<&Path>, terminal: &mut Terminal) -> Result<()> {
    let report = outcome.report();
    match (json, outcome.kind()) {
        (true, Kind::Match) => writeln!(terminal.out, "{}", json_line(&outcome.summary().done()))?,
        (true, _) => writeln!(terminal.out, "{}", outcome.json())?,
        (false, _) => {
            print_tables(report, terminal)?;
            print_notes(report, terminal)?;
        }
    }
    // The object of a match has its warnings.
    match (json, outcome.kind()) {
        (true, Kind::Match) => Ok(()),
        _ => print_warnings(&report.warnings, record, terminal),
    }
}

/// Prints the result in sentences, below the tables.
pub(crate) fn print_notes(report: &Report, terminal: &mut Terminal) -> Result<()> {
    if !report.notes.is_empty() {
        writeln!(terminal.out)?;
    }
    report.notes.iter().try_for_each(|note| wrapped(terminal, "", "", note))
}

fn print_table(sheet: &Sheet, terminal: &mut Terminal) -> Result<()> {
    if !sheet.title.is_empty() {
        writeln!(terminal.out, "{}", sheet.title)?;
    }
    write!(terminal.out, "{}", Table::of(sheet).text(terminal.width))?;
    Ok(())
}

/// Prints the games that the first player lost, and the commands that open them; nothing if it lost none.
pub(crate) fn print_lost(folder: &Path, report: &Report, terminal: &mut Terminal) -> Result<()> {
    let Some(sheet) = &report.lost else { return Ok(()) };
    let game = &sheet.rows[0][0].text;
    writeln!(terminal.out)?;
    print_table(sheet, terminal)?;
    let (program, path) = (program(), shell_word(&folder.display().to_string()));
    let listing = format!("{program} show {path} --list --result lost");
    let review = format!("{program} review {path}:{game}");
    writeln!(terminal.out, "\n{}", report.language.say("games.list-with", &[("command", &listing)]))?;
    writeln!(terminal.out, "{}", report.language.say("games.review-with", &[("command", &review)]))?;
    Ok(())
}

/// Prints the command that lists the games that the first player lost; nothing if it lost none.
pub(crate) fn note_lost(folder: &Path, outcome: &Outcome<'_>, terminal: &mut Terminal) -> Result<()> {
    if outcome.report().lost.is_some() {
        let path = shell_word(&folder.display().to_string());
        let player = outcome.config().players.first().map_or("", |player| player.name.as_str());
        writeln!(terminal.err, "games lost by {player}: {} show {path} --list --result lost", program())?;
    }
    Ok(())
}

/// Prints warnings on stderr; `record` is the folder of the games, if there is one.
pub(crate) fn print_warnings(warnings: &[Warning], record: Option<&Path>, terminal: &mut Terminal) -> Result<()> {
    for warning in warnings {
        writeln!(terminal.err, "warning: {}", warning.text)?;
        if let (Some(game), Some(path)) = (&warning.game, record) {
            let path = shell_word(&path.display().to_string());
            writeln!(terminal.err, "  {} show --record {path} --game {game}", program())?;
        }
    }
    Ok(())
}

/// Checks that every file name has a known extension and an existing folder, or the folder `out` to be created.
///
/// # Errors
/// The first file that fails the check.
pub(crate) fn check_exports(paths: &[String], out: Option<&Path>) -> Result<()> {
    let out = out.and_then(|out| path::absolute(out).ok());
    for path in paths {
        export_for(path)?;
        let folder = path::absolute(path).ok().and_then(|path| path.parent().map(Path::to_path_buf));
        if folder.as_ref().is_some_and(|folder| !folder.is_dir() && Some(folder) != out.as_ref()) {
            let found = format!("export file {path:?}");
            return Err(TextError::new(found, "expected an existing folder", "create it, or choose another one").into());
        }
    }
    Ok(())
}

/// Writes the result to every file.
pub(crate) fn export(paths: &[String], outcome: &Outcome<'_>) -> Result<()> {
    paths.iter().try_for_each(|path| output_file::write(path, export_for(path)?(outcome)))
}

/// Says to which files the result is written.
pub(crate) fn note_exports(paths: &[String], terminal: &mut Terminal) -> Result<()> {
    paths.iter().try_for_each(|path| output_file::note_written(path, terminal))
}
