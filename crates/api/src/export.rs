//! The board as a picture, and the game as text in every form.

use banyan_formats::{Form, drawing_without_moves};
use serde::{Deserialize, Serialize};

use crate::offer::Offer;
use crate::refusal::Refusal;
use crate::spot::Spot;

/// A position to be drawn.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct DrawRequest {
    /// The position.
    #[serde(flatten)]
    pub spot: Spot,
    /// Whether its structure is marked.
    #[serde(default)]
    pub structure: bool,
}

/// A game to be written.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct WriteRequest {
    /// The game.
    #[serde(flatten)]
    pub spot: Spot,
    /// Names of the players, the first side's first.
    pub players: [String; 2],
}

/// The game in all forms that can express it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WrittenView {
    /// Each form with its text.
    pub forms: Vec<FormView>,
}

/// The game in one form.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FormView {
    /// The name of the form.
    pub form: &'static str,
    /// The extension of a file in this form.
    pub extension: &'static str,
    /// The game as text.
    pub text: String,
}

/// The forms that the page makes itself.
const OF_THE_PAGE: [&str; 2] = ["link", "svg"];

/// The game in all forms that can express it, without those that the page makes itself.
///
/// # Errors
/// A position that is invalid.
pub fn write(offer: &Offer, written: &WriteRequest) -> Result<WrittenView, Refusal> {
    let session = written.spot.open(offer)?;
    let in_form = |form: &'static Form| {
        let text = form.write(&session, &written.players).ok()?;
        Some(FormView { form: form.name, extension: form.extension, text })
    };
    let forms = Form::written().filter(|form| !OF_THE_PAGE.contains(&form.name));
    Ok(WrittenView { forms: forms.filter_map(in_form).collect() })
}

/// The board as a document in SVG.
///
/// # Errors
/// A position that is invalid, or a game without a board that can be drawn.
pub fn draw(offer: &Offer, drawn: &DrawRequest) -> Result<String, Refusal> {
    let session = drawn.spot.open(offer)?;
    drawing_without_moves(&session, drawn.structure).ok_or_else(|| {
        Refusal::input(format!("{}: expected a game with a board that can be drawn; use another", session.spec()))
    })
}
