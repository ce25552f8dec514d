//! The result of a match as tables, as a JSON event and as files.

use std::io::Write;
use std::path::{self, Path};

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_catalog::pairs::GameLine;
use banyan_catalog::view::json_line;
use banyan_core::TextError;
use banyan_matches::exports::{PlayerNames, Sheet, export_for, match_page, sheets};
use banyan_matches::{MatchConfig, Summary};

use crate::output::output_file;
use crate::output::table::Table;
use crate::output::terminal::Terminal;
use crate::output::wrap::wrapped_settings;
use crate::program::{program, shell_word};

/// Prints the result on stdout and the warnings on stderr; `record` is the folder of the games, if there is one.
pub(crate) fn print(summary: &Summary, record: Option<&Path>, json: bool, terminal: &mut Terminal) -> Result<()> {
    if json {
        writeln!(terminal.out, "{}", json_line(&summary.done()))?;
        return Ok(());
    }
    let full = tables(summary, &PlayerNames::full(summary));
    let are_short = full.iter().all(|(_, table)| table.names_fit(terminal.width));
    let numbered = PlayerNames::numbered(summary);
    let tables = if are_short { full } else { tables(summary, &numbered) };
    if !are_short {
        legend(summary, &numbered, terminal)?;
    }
    for (i, (title, table)) in tables.iter().enumerate() {
        let gap = if i == 0 && are_short { "" } else { "\n" };
        write!(terminal.out, "{gap}{title}\n{}", table.text(terminal.width))?;
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

/// The tables of a match with their titles.
fn tables(summary: &Summary, names: &PlayerNames) -> Vec<(&'static str, Table)> {
    let table = |sheet: Sheet| {
        let mut table = Table::new(sheet.n_keys, &sheet.headings);
        sheet.rows.into_iter().for_each(|row| table.add_row(row));
        (sheet.title, table)
    };
    sheets(summary, names).into_iter().map(table).collect()
}

/// The player behind each number in the tables.
fn legend(summary: &Summary, numbered: &PlayerNames, terminal: &mut Terminal) -> Result<()> {
    writeln!(terminal.out, "Players")?;
    let indent = numbered.names().iter().map(String::len).max().unwrap_or(0) + 2;
    for (player, number) in summary.players.iter().zip(numbered.names()) {
        wrapped_settings(terminal, &format!("{number:<indent$}"), &" ".repeat(indent), &player.name)?;
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

/// Writes the result to every file; a page includes the games.
pub(crate) fn export(
    paths: &[String],
    (config, games): (&MatchConfig, &[GameLine]),
    summary: &Summary,
    catalog: &Catalog,
) -> Result<()> {
    for path in paths {
        let text = match path.to_ascii_lowercase().ends_with(".html") {
            true => match_page(config, summary, catalog, games),
            false => export_for(path)?.write(config, summary),
        };
        output_file::write(path, text)?;
    }
    Ok(())
}
