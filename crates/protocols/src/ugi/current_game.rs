//! The current game of the server, kept from one `position` to the next so that the search tree is reused.

use banyan_catalog::{AnyGame, Opening, PlayerSpec, Seat, Session};
use banyan_core::TextError;

/// A game in progress and its player.
pub(super) struct CurrentGame {
    pub(super) session: Session,
    pub(super) seat: Seat,
    /// The starting position and the moves since, as received.
    place: String,
    moves_received: Vec<String>,
}

/// `startpos` or `fen TEXT`, and the moves after `moves`.
pub(crate) fn split_position(text: &str) -> Result<(String, Vec<String>), TextError> {
    let mut words = text.split_whitespace();
    let kind = words.next();
    let place: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    match (kind, place.is_empty()) {
        (Some("startpos"), true) => Ok((String::new(), words.map(str::to_owned).collect())),
        (Some("fen"), false) => Ok((place.join(" "), words.map(str::to_owned).collect())),
        _ => {
            let expected = "expected startpos or fen TEXT, optionally followed by moves M...";
            Err(TextError::new(format!("position {text:?}"), expected, "try position startpos"))
        }
    }
}

impl CurrentGame {
    /// The position of `text`, the arguments of `position`. Continues the previous game if possible.
    ///
    /// # Errors
    /// An invalid position or an illegal move.
    pub(super) fn set(
        before: Option<CurrentGame>,
        text: &str,
        game: &AnyGame,
        player: &PlayerSpec,
        seed: u64,
    ) -> Result<CurrentGame, TextError> {
        let (place, moves) = split_position(text)?;
        let mut table = match before.filter(|table| table.place == place) {
            Some(table) => table,
            None => {
                let opening = if place.is_empty() { Opening::Start } else { Opening::Position(&place) };
                let mut session = game.open(opening)?;
                let seat = session.seat(player, seed)?;
                CurrentGame { session, seat, place, moves_received: Vec::new() }
            }
        };
        let same =
            table.moves_received.iter().zip(&moves).take_while(|(moves_received, mv)| moves_received == mv).count();
        for _ in same..table.moves_received.len() {
            table.session.undo();
        }
        table.moves_received.truncate(same);
        for mv in &moves[same..] {
            let number = table.moves_received.len() + 1;
            let played = table.session.play(mv);
            played.map_err(|err| TextError { found: format!("move {number}: {}", err.found), ..err })?;
            table.moves_received.push(mv.clone());
        }
        Ok(table)
    }
}
