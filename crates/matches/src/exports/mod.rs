//! Exports of a match result: Markdown, CSV, JSON, HTML, and the score table of a university course.

mod course;
mod csv;
mod games;
mod html;
mod ladder;
mod markdown;
mod plot;
mod rating;
mod sheets;
mod tune;

use banyan_catalog::did_you_mean;
use banyan_catalog::view::json_line;
use banyan_core::TextError;

use crate::config::MatchConfig;
use crate::summary::Summary;

pub use games::match_page;
pub use ladder::{ladder_page, ladder_sheet};
pub use rating::{rating_notes, rating_page, rating_sheet};
pub use sheets::{PlayerNames, Sheet, sheets};
pub use tune::tune_page;

/// An export format.
pub trait Export: Send + Sync {
    /// The whole file.
    fn write(&self, config: &MatchConfig, summary: &Summary) -> String;
}

impl<F: Fn(&MatchConfig, &Summary) -> String + Send + Sync> Export for F {
    fn write(&self, config: &MatchConfig, summary: &Summary) -> String {
        self(config, summary)
    }
}

/// File name extensions with their formats; the longer ones first.
const FORMS: [(&str, &dyn Export); 6] = [
    (".course.md", &course::markdown),
    (".course.csv", &course::csv),
    (".md", &markdown::write),
    (".csv", &csv::write),
    (".json", &|_: &MatchConfig, summary: &Summary| json_line(summary) + "\n"),
    (".html", &html::write),
];

/// The export format for a file name.
///
/// # Errors
/// An unknown extension.
pub fn export_for(path: &str) -> Result<&'static dyn Export, TextError> {
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
