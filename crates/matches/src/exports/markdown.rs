//! The tables of a match in Markdown.

use super::sheets::{PlayerNames, Sheet, sheets};
use crate::config::MatchConfig;
use crate::summary::Summary;

pub(super) fn write(config: &MatchConfig, summary: &Summary) -> String {
    let mut text = format!(
        "# {}\n\n{} games, {} pairs; seed {}, openings {}\n",
        config.game, summary.games, summary.pairs, config.seed, config.openings
    );
    for warning in &summary.warnings {
        text += &format!("\n> **Warning:** {}\n", warning.text);
    }
    for sheet in sheets(summary, &PlayerNames::full(summary)) {
        text += &format!("\n## {}\n\n{}", sheet.title, table(&sheet));
    }
    text
}

/// One table, with its cells escaped.
pub(super) fn table(sheet: &Sheet) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let headings = sheet.headings.iter().map(|heading| escape(heading.trim_start_matches('>'))).collect();
    let rules = sheet.headings.iter().map(|heading| if heading.starts_with('>') { "---:" } else { "---" }.to_owned());
    let rows = sheet.rows.iter().map(|row| line(row.iter().map(|cell| escape(cell)).collect()));
    [line(headings), line(rules.collect())].into_iter().chain(rows).collect()
}

/// Escapes characters that would end a cell or start a tag.
fn escape(cell: &str) -> String {
    cell.replace('\\', "\\\\").replace('|', "\\|").replace('<', "\\<").replace('\n', " ")
}
