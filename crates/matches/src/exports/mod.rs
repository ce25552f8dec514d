//! Exports: results as pages, Markdown, CSV, JSON and pictures, and as the score table of a university course. Each kind of result fills
//! a [`Report`], which the forms write of an [`Outcome`].

mod ablation;
mod chart;
mod configuration;
mod course;
mod csv;
mod dots;
mod games;
mod html;
mod ladder;
mod markdown;
mod match_report;
mod outcome;
mod picture;
mod rating;
mod report;
mod rows;
mod sheets;
mod sweep;
mod sweep_figure;
mod tune;

use banyan_catalog::did_you_mean;
use banyan_catalog::pairs::MatchError;
use banyan_core::TextError;

use crate::folder::MatchFolder;

pub use games::game_sheet;
pub use outcome::{Details, Outcome, StoredGames};
pub use report::{Cell, Column, Report, Sheet, ShortNames};
pub use rows::{Rows, Values, game_rows, move_rows, pair_rows};
pub use sheets::{PlayerNames, sheets};

/// Writes a whole file.
pub type Export = fn(&Outcome<'_>) -> String;

/// File name extensions with their formats; the longer ones first.
const FORMS: [(&str, Export); 11] = [
    (".course.md", course::markdown),
    (".course.csv", course::csv),
    (".games.csv", |outcome| csv::rows(&game_rows(outcome.lines()))),
    (".pairs.csv", |outcome| csv::rows(&pair_rows(outcome.lines()))),
    (".moves.csv", |outcome| csv::rows(&move_rows(outcome.lines()))),
    (".table.csv", csv::first_table),
    (".md", |outcome| markdown::write(outcome.report())),
    (".csv", csv::write),
    (".json", |outcome| format!("{}\n", outcome.json())),
    (".html", |outcome| outcome.page()),
    (".svg", picture::picture),
];

/// Writes the files of a result into its folder: the JSON, the page of all but a match, and the picture of a sweep or an
/// ablation.
///
/// # Errors
/// A file that cannot be written.
pub fn write_result(folder: &MatchFolder, outcome: &Outcome<'_>) -> Result<(), MatchError> {
    let kind = outcome.kind();
    folder.write_file(kind.result(), &format!("{}\n", outcome.json()))?;
    if let Some(page) = kind.page() {
        folder.write_file(page, &outcome.page())?;
    }
    if let Some(name) = kind.picture() {
        folder.write_file(name, &picture::picture(outcome))?;
    }
    Ok(())
}

/// The extensions of exported files, for the help of commands.
pub const EXTENSIONS: &str = ".md (tables), .csv (a row per pairing), .games.csv, .pairs.csv, .moves.csv (a row for each), .table.csv \
                              (the first table), .json, .html, .svg (a picture); .course.md and .course.csv score a win 2 and a draw 1";

/// The export format for a file name.
///
/// # Errors
/// An unknown extension.
pub fn export_for(path: &str) -> Result<Export, TextError> {
    let lower = path.to_ascii_lowercase();
    let form = FORMS.iter().find(|(ending, _)| lower.ends_with(ending)).map(|&(_, form)| form);
    form.ok_or_else(|| {
        let endings = FORMS.map(|(ending, _)| ending);
        let ending = lower.rfind('.').map_or("", |dot| &lower[dot..]);
        let hint = did_you_mean(ending, endings.iter().copied());
        let expected = format!("expected one of the extensions {}{hint}", endings.join(", "));
        TextError::new(format!("export file {path:?}"), expected, "try result.html")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_names_every_form() {
        for (ending, _) in FORMS {
            assert!(EXTENSIONS.split([' ', ',', ';']).any(|word| word == ending), "{ending}");
        }
    }
}
