//! The result of a match as tables, as a JSON event and as files.

use std::fs;
use std::io::Write;
use std::path::{self, Path};

use anyhow::{Context, Result};
use banyan_catalog::exports::{export_for, sheets};
use banyan_catalog::matches::{MatchConfig, Summary};
use banyan_catalog::view::json_line;
use banyan_core::TextError;

use crate::program::{program, shell_word};
use crate::table;
use crate::terminal::Terminal;

/// Prints the result on stdout and the warnings on stderr; `record` is the folder of the games, if there is one.
pub(crate) fn print(summary: &Summary, record: Option<&Path>, json: bool, terminal: &mut Terminal) -> Result<()> {
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
pub(crate) fn export(paths: &[String], config: &MatchConfig, summary: &Summary) -> Result<()> {
    for path in paths {
        let text = export_for(path)?.write(config, summary);
        fs::write(path, text).with_context(|| format!("cannot write {path}"))?;
    }
    Ok(())
}
