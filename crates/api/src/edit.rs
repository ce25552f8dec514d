//! A position that a user sets up on the board.

use banyan_catalog::{AnyGame, Opening};
use banyan_core::{Side, TextError};
use serde::{Deserialize, Serialize};

use crate::offer::Offer;
use crate::refusal::Refusal;

/// A board that was set up.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct EditRequest {
    /// The game with its board.
    pub game: String,
    /// Rows from the top, of `X`, `O`, `.` and `#`, separated by `/` or line ends; in Dots and Boxes the digits 0 and 1
    /// of a position, followed by the fields after the side to move.
    pub cells: String,
    /// The side to move; if `None`, the one for which the position is valid.
    pub to_move: Option<u8>,
}

/// The answer to an [`EditRequest`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EditedView {
    /// The position as text.
    pub position: String,
}

/// The position of a board that was set up.
///
/// # Errors
/// A board that is no position of the game.
pub fn edit(offer: &Offer, edited: &EditRequest) -> Result<EditedView, Refusal> {
    let game = offer.catalog.game(&edited.game).map_err(|err| Refusal::in_field("game", &err))?;
    let sides = match edited.to_move {
        None => Side::BOTH.to_vec(),
        Some(side) => vec![*Side::BOTH.get(usize::from(side)).ok_or_else(|| {
            Refusal::in_field("to_move", &TextError::new(format!("side {side}"), "expected 0 or 1", "correct it"))
        })?],
    };
    let mut error = None;
    for side in sides {
        match position(&game, &edited.cells, side) {
            Ok(position) => return Ok(EditedView { position }),
            Err(err) => error = error.or(Some(err)),
        }
    }
    Err(Refusal::in_field("cells", &error.expect("one side at least was tried")))
}

/// The position as printed by the game.
fn position(game: &AnyGame, cells: &str, side: Side) -> Result<String, TextError> {
    let text = position_text(cells, side);
    Ok(game.open(Opening::Position(&text))?.position())
}

/// `5/1ox/3-2 x` for rows of cells; other text is kept, with the side after its first word.
fn position_text(cells: &str, side: Side) -> String {
    let side = ["x", "o"][side.index()];
    let is_drawn = |c: char| "xo.#/\n\r ".contains(c.to_ascii_lowercase());
    if !cells.chars().all(is_drawn) {
        let (board, rest) = cells.trim().split_once(' ').unwrap_or((cells.trim(), ""));
        return format!("{board} {side} {rest}").trim_end().to_owned();
    }
    let rows: Vec<String> = cells.split(['/', '\n']).map(str::trim).filter(|row| !row.is_empty()).map(row).collect();
    format!("{} {side}", rows.join("/"))
}

/// A row in which numbers stand for runs of free cells.
fn row(cells: &str) -> String {
    let (mut text, mut free) = (String::new(), 0);
    for cell in cells.chars().chain(['/']) {
        if cell == '.' {
            free += 1;
            continue;
        }
        if free > 0 {
            text += &free.to_string();
            free = 0;
        }
        match cell {
            '#' => text.push('-'),
            '/' | ' ' => {}
            stone => text.push(stone.to_ascii_lowercase()),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_rows_become_a_position() {
        for (cells, side, expected) in [
            ("...../..X..\n.#OX.", Side::First, "5/2x2/1-ox1 x"),
            ("X........../...........", Side::Second, "x10/11 o"),
            ("10/00/00 2-1 ..", Side::First, "10/00/00 x 2-1 .."),
            ("1000", Side::Second, "1000 o"),
        ] {
            assert_eq!(position_text(cells, side), expected, "{cells}");
        }
    }
}
