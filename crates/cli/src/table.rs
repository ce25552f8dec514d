//! Tables for people: aligned columns, numbers to the right, no borders.

use comfy_table::{CellAlignment, Table, presets};

/// A table with these headings; a heading that begins with `>` marks a column of numbers.
pub(crate) fn table(headings: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(headings.iter().map(|heading| heading.trim_start_matches('>')).collect::<Vec<_>>());
    for (i, heading) in headings.iter().enumerate() {
        let column = table.column_mut(i).expect("a column for every heading");
        column.set_padding((0, 2));
        if heading.starts_with('>') {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// The table as text, without trailing blanks.
pub(crate) fn text(table: &Table) -> String {
    table.to_string().lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}
