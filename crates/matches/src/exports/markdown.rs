//! The tables of a report in Markdown.

use super::report::{Cell, Report, Sheet};

pub(super) fn write(report: &Report) -> String {
    let mut text = format!("# {}\n\n{}\n", report.heading, report.facts.join("; "));
    for warning in &report.warnings {
        text += &format!("\n> **Warning:** {}\n", warning.text);
    }
    for note in &report.notes {
        text += &format!("\n{note}\n");
    }
    for sheet in report.sheets.iter().chain(&report.lost) {
        let title = if sheet.title.is_empty() { String::new() } else { format!("\n## {}\n", sheet.title) };
        text += &format!("{title}\n{}", table(sheet));
    }
    text
}

/// One table, with its cells escaped.
pub(super) fn table(sheet: &Sheet) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let headings = sheet.columns.iter().map(|column| escape(&column.heading)).collect();
    let rules = sheet.columns.iter().map(|column| if column.is_number { "---:" } else { "---" }.to_owned());
    let rows = sheet.rows.iter().map(|row| line(row.iter().map(|Cell { text, .. }| escape(text)).collect()));
    [line(headings), line(rules.collect())].into_iter().chain(rows).collect()
}

/// Escapes characters that would end a cell or start a tag.
fn escape(cell: &str) -> String {
    cell.replace('\\', "\\\\").replace('|', "\\|").replace('<', "\\<").replace('\n', " ")
}
