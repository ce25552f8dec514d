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
mod sweep;
mod sweep_plot;
mod tune;

use banyan_catalog::pairs::GameLine;
use banyan_catalog::view::json_line;
use banyan_catalog::{Catalog, did_you_mean};
use banyan_core::TextError;

use crate::config::MatchConfig;
use crate::summary::Summary;

pub use html::html;
pub use ladder::ladder_report;
pub use match_report::match_report;
pub use rating::rating_report;
pub use report::{Cell, Column, Report, Sheet};
pub use sheets::{PlayerNames, sheets};
pub use sweep::sweep_report;
pub use sweep_plot::sweep_svg;
pub use tune::tune_report;

/// A match to be exported.
#[derive(Clone, Copy)]
pub struct Exported<'a> {
    /// Its configuration.
    pub config: &'a MatchConfig,
    /// Its result.
    pub summary: &'a Summary,
    /// The games whose boards a page shows.
    pub catalog: &'a Catalog,
    /// Its games, which a page lists.
    pub lines: &'a [GameLine],
}

impl Exported<'_> {
    fn report(&self) -> Report {
        match_report(self.config, self.summary, &PlayerNames::full(self.summary))
    }
}

/// Writes a whole file.
pub type Export = fn(&Exported<'_>) -> String;

/// File name extensions with their formats; the longer ones first.
const FORMS: [(&str, Export); 6] = [
    (".course.md", course::markdown),
    (".course.csv", course::csv),
    (".md", |exported| markdown::write(&exported.report())),
    (".csv", |exported| csv::write(exported.summary)),
    (".json", |exported| json_line(exported.summary) + "\n"),
    (".html", |exported| html(&games::report_with_games(exported))),
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
