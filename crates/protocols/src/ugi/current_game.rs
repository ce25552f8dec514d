//! The game on the table: kept from one `position` to the next, so that a search can use what it found before.

use banyan_catalog::{AnyGame, Opening, PlayerSpec, Seat, Session};
use banyan_core::TextError;

/// A game in progress and who searches it.
pub(super) struct CurrentGame {
    pub(super) session: Box<dyn Session>,
    pub(super) seat: Seat,
    /// Where it began and the moves since, in the words of whoever told them.
    place: String,
    told: Vec<String>,
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
            let expected = "expected startpos or fen TEXT, and perhaps moves M...";
            Err(TextError::new(format!("position {text:?}"), expected, "say position startpos"))
        }
    }
}

impl CurrentGame {
    /// The position that `text` says, the words after `position`: the one before if it goes on from there.
    ///
    /// # Errors
    /// Text that is no position, or a move that is not legal.
    pub(super) fn set(
        before: Option<CurrentGame>,
        text: &str,
        game: &dyn AnyGame,
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
                CurrentGame { session, seat, place, told: Vec::new() }
            }
        };
        let same = table.told.iter().zip(&moves).take_while(|(told, mv)| told == mv).count();
        for _ in same..table.told.len() {
            table.session.undo();
        }
        table.told.truncate(same);
        for mv in &moves[same..] {
            let number = table.told.len() + 1;
            let played = table.session.play(mv);
            played.map_err(|err| TextError { found: format!("move {number}: {}", err.found), ..err })?;
            table.told.push(mv.clone());
        }
        Ok(table)
    }
}
