//! Drawings of the top of a search: as JSON, as a graph for Graphviz, and as an SVG picture.

mod dot;
mod layout;
mod picture;
mod scene;

use std::path::Path;

use banyan_catalog::view::{Exploration, json_line};
use banyan_core::TextError;

pub use dot::dot;
pub use picture::svg;

/// The file format of an [`Exploration`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A graph in the DOT language of Graphviz.
    Dot,
    /// One JSON object.
    Json,
    /// A self-contained picture.
    Svg,
}

impl Form {
    /// The format of a file by its extension, in any letter case.
    ///
    /// # Errors
    /// Another extension.
    pub fn of_file(path: &Path) -> Result<Form, TextError> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        match ending.as_deref() {
            Some("dot") => Ok(Form::Dot),
            Some("json") => Ok(Form::Json),
            Some("svg") => Ok(Form::Svg),
            _ => {
                let found = path.display().to_string();
                Err(TextError::new(found, "expected the extension .dot, .json or .svg", "try search.svg"))
            }
        }
    }

    /// `exploration` in this format. Graphs and drawings show only the most visited positions.
    pub fn write(self, exploration: &Exploration) -> String {
        match self {
            Form::Dot => dot(exploration),
            Form::Json => json_line(exploration) + "\n",
            Form::Svg => svg(exploration),
        }
    }
}
