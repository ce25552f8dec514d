//! The board as a picture: `POST /api/export/svg`.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use banyan_catalog::{Catalog, svg, svg_with_structure};
use serde::Deserialize;

use crate::refusal::Refusal;
use crate::spot::Spot;
use crate::title::title;

/// A position to be drawn.
#[derive(Deserialize)]
pub(crate) struct Drawn {
    #[serde(flatten)]
    spot: Spot,
    /// Whether its structure is marked.
    #[serde(default)]
    structure: bool,
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
    let picture = session.picture().ok_or_else(|| {
        Refusal::input(format!("{}: expected a game with a board that can be drawn; use another", session.spec()))
    })?;
    let title = title(catalog, &session);
    Ok(Svg(match session.structure().filter(|_| drawn.structure) {
        Some(structure) => svg_with_structure(&picture, &structure, &title),
        None => svg(&picture, &title),
    }))
}
