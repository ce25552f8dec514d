//! Text tables: aligned columns, numbers to the right, no borders, and no line wider than the terminal. Columns that do
//! not fit follow below, after the same first columns.

use banyan_matches::exports::{Column, Sheet};
use comfy_table::{CellAlignment, presets};
use textwrap::core::display_width;

use crate::output::wrap::lines_of_words;

/// Blanks between two columns.
const GAP: usize = 2;
/// Width up to which a text stays in one line, even on a narrow terminal.
const NARROW: usize = 30;

/// A table of text.
pub(crate) struct Table {
    /// One per column; `true` for a column of numbers.
    headings: Vec<(String, bool)>,
    /// Texts: `[rows][columns]`.
    rows: Vec<Vec<String>>,
    /// Number of first columns, which name a row: they are repeated before continued columns.
    n_keys: usize,
}

impl Table {
    /// A table with these headings; a heading that begins with `>` marks a column of numbers. The first `n_keys` columns name a row.
    pub(crate) fn new(n_keys: usize, headings: &[impl AsRef<str>]) -> Table {
        let columns = headings.iter().map(|heading| Column::new(heading.as_ref()));
        Table { headings: columns.map(|column| Table::heading(&column)).collect(), rows: Vec::new(), n_keys }
    }

    /// The table of a report.
    pub(crate) fn of(sheet: &Sheet) -> Table {
        Table {
            headings: sheet.columns.iter().map(Table::heading).collect(),
            rows: sheet.rows.iter().map(|row| row.iter().map(|cell| cell.text.clone()).collect()).collect(),
            n_keys: sheet.n_keys,
        }
    }

    fn heading(column: &Column) -> (String, bool) {
        // A sign stays with its word.
        (column.heading.replace(" %", "\u{a0}%"), column.is_number)
    }

    pub(crate) fn add_row(&mut self, row: impl IntoIterator<Item = impl Into<String>>) {
        self.rows.push(row.into_iter().map(Into::into).collect());
    }

    /// Whether the names fit beside each other column, and take at most two fifths of the line.
    pub(crate) fn names_fit(&self, width: usize) -> bool {
        let names: usize = (0..self.n_keys).map(|column| self.content(column) + GAP).sum();
        let widest = (self.n_keys..self.headings.len()).map(|column| self.narrowest(column)).max().unwrap_or(0);
        names <= width * 2 / 5 && names + widest <= width
    }

    /// The table as text of at most `width` columns, without trailing blanks. Only a word longer than a line exceeds
    /// it.
    pub(crate) fn text(&self, width: usize) -> String {
        let natural = |column: usize| self.content(column).max(display_width(&self.headings[column].0));
        let all: Vec<usize> = (0..self.headings.len()).collect();
        // The first layout that fits: full headings, headings in two lines, then long texts in several lines and blocks
        // of columns.
        for limits in [&natural as &dyn Fn(usize) -> usize, &|column| self.below_heading(column)] {
            let limits: Vec<usize> = all.iter().map(|&column| limits(column)).collect();
            if total(&limits, &all) <= width {
                return self.block(&all, &limits);
            }
        }
        let limits: Vec<usize> = all.iter().map(|&column| self.narrowest(column)).collect();
        let blocks = self.blocks(&limits, width);
        blocks.iter().map(|columns| self.block(columns, &limits)).collect::<Vec<_>>().join("\n")
    }

    /// The width of the texts in a column.
    fn content(&self, column: usize) -> usize {
        self.rows.iter().map(|row| display_width(&row[column])).max().unwrap_or(0)
    }

    /// The width of a column whose heading takes two lines.
    fn below_heading(&self, column: usize) -> usize {
        let heading = &self.headings[column].0;
        let in_two = (longest_word(heading)..).find(|&width| lines_of_words(heading, width).len() <= 2);
        self.content(column).max(in_two.expect("the length of the heading is enough"))
    }

    /// The width of a column if long texts take several lines too; names stay whole.
    fn narrowest(&self, column: usize) -> usize {
        if column < self.n_keys {
            return self.below_heading(column);
        }
        let texts = self.rows.iter().map(|row| row[column].as_str());
        let words = texts.chain([self.headings[column].0.as_str()]).map(longest_word).max().unwrap_or(0);
        self.below_heading(column).min(words.max(NARROW))
    }

    /// The blocks of columns that fit beside one another.
    fn blocks(&self, widths: &[usize], width: usize) -> Vec<Vec<usize>> {
        let keys: Vec<usize> = (0..self.n_keys).collect();
        let mut blocks = vec![keys.clone()];
        for column in self.n_keys..self.headings.len() {
            let last = blocks.last_mut().expect("there is one from the start");
            last.push(column);
            if last.len() > keys.len() + 1 && total(widths, last) > width {
                last.pop();
                blocks.push([&keys[..], &[column]].concat());
            }
        }
        blocks
    }

    fn block(&self, columns: &[usize], widths: &[usize]) -> String {
        let cell = |text: &str, column: usize| lines_of_words(text, widths[column]).join("\n");
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(columns.iter().map(|&column| cell(&self.headings[column].0, column)));
        for row in &self.rows {
            table.add_row(columns.iter().map(|&column| cell(&row[column], column)));
        }
        for (idx, &column) in columns.iter().enumerate() {
            let shown = table.column_mut(idx).expect("a column for every heading");
            shown.set_padding((0, GAP as u16));
            if self.headings[column].1 {
                shown.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.to_string().lines().map(|line| line.trim_end().replace('\u{a0}', " ") + "\n").collect()
    }
}

/// The width of these columns with the gaps between them.
fn total(widths: &[usize], columns: &[usize]) -> usize {
    let sum: usize = columns.iter().map(|&column| widths[column] + GAP).sum();
    sum.saturating_sub(GAP)
}

fn longest_word(text: &str) -> usize {
    text.split(' ').map(display_width).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results() -> Table {
        let mut table = Table::new(1, &["players", ">pairs", ">won-drawn-lost", ">Elo (95 %)", "more pairs needed"]);
        table.add_row(["uct - random", "100", "180-10-10", "+470.4 [19.0..921.9]", "not distinguishable"]);
        table.add_row(["uct - mcgs", "7", "1-0-13", "-12.0 [..]", "none"]);
        table
    }

    #[test]
    fn what_fits_stays_in_one_line() {
        let text = results().text(90);
        assert!(
            text.starts_with("players       pairs  won-drawn-lost            Elo (95 %)  more pairs needed\n"),
            "{text}"
        );
        assert_eq!(text.lines().count(), 3, "{text}");
    }

    #[test]
    fn columns_that_do_not_fit_follow_below_after_the_names() {
        let expected = "\
players       pairs  won-drawn-lost
uct - random    100       180-10-10
uct - mcgs        7          1-0-13

players                 Elo (95 %)
uct - random  +470.4 [19.0..921.9]
uct - mcgs              -12.0 [..]

players       more pairs needed
uct - random  not distinguishable
uct - mcgs    none
";
        assert_eq!(results().text(40), expected);
    }

    #[test]
    fn headings_take_two_lines_before_columns_move() {
        let mut table = Table::new(1, &["move", ">visits per move"]);
        table.add_row(["a1", "12"]);
        assert_eq!(table.text(16), "move    visits\n      per move\na1          12\n");
    }

    #[test]
    fn no_word_is_broken_and_no_line_too_long_at_any_width() {
        let long = "lost 3 games on time and 12 games by an illegal move, of which 4 were passes";
        let mut table = results();
        table.add_row(["greedy - uct", "1", "1-1-0", "+1.0 [0.0..2.0]", long]);
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let known = words(&table.text(1000));
        for width in 44..200 {
            let text = table.text(width);
            assert!(text.lines().all(|line| display_width(line) <= width), "{width}:\n{text}");
            assert!(words(&text).iter().all(|word| known.contains(word)), "{width}:\n{text}");
            assert!(known.iter().all(|word| text.contains(word)), "{width}:\n{text}");
        }
    }

    #[test]
    fn long_names_do_not_fit() {
        assert!(results().names_fit(80) && !results().names_fit(34));
        let mut table = results();
        table.add_row(["uct:c=0.5,final=robust,reuse=off - uct", "1", "1-1-0", "", ""]);
        assert!(!table.names_fit(80) && table.names_fit(120));
    }
}
