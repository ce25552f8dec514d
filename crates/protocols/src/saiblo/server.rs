//! Saiblo server: answers turns until the end of input.

use std::io::{BufRead, Write};

use banyan_catalog::Catalog;
use banyan_core::{Silent, TextError};

use super::{Numbers, Start, Stone, Turn};
use crate::server::{HostedGame, ServeError, Setup, best_of};

/// Serves Connect Four for Saiblo; the board is read from the input. Each turn is taken as received. If it follows from
/// the previous turns, the player keeps its search.
///
/// # Errors
/// An unsupported board, an invalid turn, a stream error, or a player without a move.
pub fn serve(catalog: &Catalog, setup: Setup, input: impl BufRead, mut output: impl Write) -> Result<(), ServeError> {
    let mut numbers = Numbers::new(input);
    let Some(start) = Start::read(&mut numbers)? else { return Ok(()) };
    let mut table = HostedGame::new(catalog.game(&start.spec())?, setup)?;
    while let Some(turn) = Turn::read(&mut numbers, &start)? {
        take_up(&mut table, &start, &turn)?;
        output.write_all(&answer(&mut table)?.framed())?;
        output.flush()?;
    }
    Ok(())
}

/// Sets up the position of `turn`.
pub(crate) fn take_up(table: &mut HostedGame, start: &Start, turn: &Turn) -> Result<(), TextError> {
    if let Some(last) = turn.last
        && table.session().result().is_none()
    {
        // If it does not follow from the previous position, set up the whole position.
        let _ = table.session_mut().play(&(last.y + 1).to_string());
    }
    if board(table) == turn.board {
        return Ok(());
    }
    table.go_to(Some(&turn.position(start)), &[])
}

/// The board from the viewpoint of the side to move.
fn board(table: &HostedGame) -> Vec<u8> {
    let session = table.session();
    let picture = session.picture().expect("a board of Connect Four can be drawn");
    Turn::of_picture(&picture, session.to_move()).board
}

/// Plays a move. Returns the cell in which its stone lands.
pub(crate) fn answer(table: &mut HostedGame) -> Result<Stone, ServeError> {
    if table.session().result().is_some() {
        return Err(TextError::new("a turn", "expected none after the end of the game", "close the input").into());
    }
    let mv = match table.forced() {
        Some(mv) => mv,
        None => best_of(&table.choose(&table.limits(), &mut Silent)?).to_owned(),
    };
    table.session_mut().play(&mv)?;
    let picture = table.session().picture().expect("a board of Connect Four can be drawn");
    Ok(Stone::last_of(&picture).expect("the last stone is on the board"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{Framing, Piece, read_piece};

    /// The message for row 10 and column 5, byte by byte.
    #[test]
    fn an_answer_is_framed_with_its_length() {
        let stone = Stone { x: 10, y: 5 };
        assert_eq!(stone.framed(), [0, 0, 0, 4, 0x31, 0x30, 0x20, 0x35]);
        let read = |mut bytes: &[u8]| match read_piece(Framing::Length, &mut bytes).expect("memory can be read") {
            Piece::Message(text) => Stone::parse(&text),
            _ => None,
        };
        assert_eq!(read(&stone.framed()), Some(stone));
        for bytes in [
            &b""[..],
            b"10 5",
            b"\0\0\0",
            b"\0\0\0\x04",
            b"\0\0\0\x031 x",
            b"\0\0\0\x051 2 3",
            b"\0\0\0\0",
            b"\xff\xff\xff\xff",
        ] {
            assert_eq!(read(bytes), None, "{bytes:?}");
        }
    }
}
