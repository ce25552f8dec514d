//! The board as a picture, `POST /api/export/svg`, and the game as text in every form: `POST /api/export/text`.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use banyan_catalog::{Catalog, svg, svg_with_structure};
use banyan_formats::{Form, drawing_title};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::spot::Spot;

/// A position to be drawn.
#[derive(Deserialize)]
pub(crate) struct Drawn {
    #[serde(flatten)]
    spot: Spot,
    /// Whether its structure is marked.
    #[serde(default)]
    structure: bool,
}

/// A game to be written.
#[derive(Deserialize)]
pub(crate) struct Written {
    #[serde(flatten)]
    spot: Spot,
    /// Names of the players, the first side's first.
    players: [String; 2],
}

/// The game in all forms that can express it.
#[derive(Serialize)]
pub(crate) struct WrittenView {
    forms: Vec<FormView>,
}

#[derive(Serialize)]
struct FormView {
    form: &'static str,
    /// The extension of a file in this form.
    extension: &'static str,
    text: String,
}

/// The forms that the page makes itself.
const OF_THE_PAGE: [&str; 2] = ["link", "svg"];

pub(crate) fn write(catalog: &Catalog, written: &Written) -> Result<WrittenView, Refusal> {
    let session = written.spot.open(catalog)?;
    let in_form = |form: &'static Form| {
        let text = form.write(&session, &written.players).ok()?;
        Some(FormView { form: form.name, extension: form.extension, text })
    };
    let forms = Form::written().filter(|form| !OF_THE_PAGE.contains(&form.name));
    Ok(WrittenView { forms: forms.filter_map(in_form).collect() })
}

/// A document in SVG.
pub(crate) struct Svg(String);

impl IntoResponse for Svg {
    fn into_response(self) -> Response {
        (StatusCode::OK, [(header::CONTENT_TYPE, "image/svg+xml")], self.0).into_response()
    }
}

pub(crate) fn draw(catalog: &Catalog, drawn: &Drawn) -> Result<Svg, Refusal> {
    let session = drawn.spot.open(catalog)?;
    let mut picture = session.picture().ok_or_else(|| {
        Refusal::input(format!("{}: expected a game with a board that can be drawn; use another", session.spec()))
    })?;
    // Dots of legal moves would be unexplained outside of the page.
    picture.cells.iter_mut().for_each(|cell| cell.legal = false);
    let title = drawing_title(&session);
    Ok(Svg(match session.structure().filter(|_| drawn.structure) {
        Some(structure) => svg_with_structure(&picture, &structure, &title),
        None => svg(&picture, &title),
    }))
}
