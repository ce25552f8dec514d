//! Exports: results as pages, Markdown, CSV and JSON, and as the score table of a university course. Each kind of result fills a
//! [`Report`], which the forms write.

mod chart;
mod configuration;
mod course;
mod csv;
mod games;
mod html;
mod ladder;
mod markdown;
mod match_report;
mod rating;
mod report;
mod sheets;
mod stored;
mod sweep;
mod sweep_plot;
mod tune;

use banyan_catalog::did_you_mean;
use banyan_core::TextError;

use crate::config::MatchConfig;
use crate::summary::Summary;

pub use games::{Games, game_sheet, with_games};
pub use html::html;
pub use ladder::ladder_report;
pub use match_report::match_report;
pub use rating::rating_report;
pub use report::{Cell, Column, Report, Sheet, ShortNames};
pub use sheets::{PlayerNames, sheets};
pub use stored::Stored;
pub use sweep::sweep_report;
pub use sweep_plot::sweep_svg;
pub use tune::tune_report;

/// A result to be exported.
#[derive(Clone, Copy)]
pub struct Exported<'a> {
    /// The configuration of its games.
    pub config: &'a MatchConfig,
    /// The result of the games as those of a match.
    pub summary: &'a Summary,
    /// The result as the object of its JSON file.
    pub json: &'a str,
    /// The report of the result.
    pub report: &'a Report,
}

/// Writes a whole file.
pub type Export = fn(&Exported<'_>) -> String;

/// File name extensions with their formats; the longer ones first.
const FORMS: [(&str, Export); 6] = [
    (".course.md", course::markdown),
    (".course.csv", course::csv),
    (".md", |exported| markdown::write(exported.report)),
    (".csv", csv::write),
    (".json", |exported| format!("{}\n", exported.json)),
    (".html", |exported| html(exported.report)),
];

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
