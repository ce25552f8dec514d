//! Results as tables, as a JSON object and as files.

use std::io::Write;
use std::path::{self, Path};

use anyhow::Result;
use banyan_core::TextError;
use banyan_matches::Warning;
use banyan_matches::exports::{Exported, Report, export_for};

use crate::output::output_file;
use crate::output::table::Table;
use crate::output::terminal::Terminal;
use crate::output::wrap::wrapped_settings;
use crate::program::{program, shell_word};

/// A report with short names of the players, for the case that the full ones take too much of a line.
pub(crate) struct Short {
    /// Each short name, and the full one.
    pub(crate) legend: Vec<[String; 2]>,
    /// The report.
    pub(crate) report: Report,
}

/// Prints the tables of a report with their titles.
pub(crate) fn print_tables(report: &Report, short: Option<&Short>, terminal: &mut Terminal) -> Result<()> {
    let fits = report.sheets.iter().all(|sheet| Table::of(sheet).names_fit(terminal.width));
    let short = short.filter(|_| !fits);
    let mut gap = "";
    if let Some(Short { legend, .. }) = short {
        writeln!(terminal.out, "Players")?;
        let indent = legend.iter().map(|[name, _]| name.len()).max().unwrap_or(0) + 2;
        for [name, full] in legend {
            wrapped_settings(terminal, &format!("{name:<indent$}"), &" ".repeat(indent), full)?;
        }
        gap = "\n";
    }
    for sheet in &short.map_or(report, |short| &short.report).sheets {
        write!(terminal.out, "{gap}")?;
        if !sheet.title.is_empty() {
            writeln!(terminal.out, "{}", sheet.title)?;
        }
        write!(terminal.out, "{}", Table::of(sheet).text(terminal.width))?;
        gap = "\n";
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
pub(crate) fn export(paths: &[String], exported: &Exported<'_>) -> Result<()> {
    paths.iter().try_for_each(|path| output_file::write(path, export_for(path)?(exported)))
}
