//! Answers turns until the end of input, on one thread.

use std::io::{BufRead, Write};

use banyan_catalog::Catalog;
use banyan_core::{Silent, TextError};

use super::{Numbers, Start, Stone, Turn};
use crate::hosted_game::{HostedGame, best_of};
use crate::{ServeError, Setup};

/// Plays Connect Four for Saiblo: the board comes with the input. The arguments of a turn are trusted, not the memory of
/// the turns before; where both agree the player keeps what it knows.
///
/// # Errors
/// A board that Banyan does not know, a turn that cannot be, a stream that breaks, or a player that cannot give a move.
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

/// Comes to the position of `turn`.
pub(crate) fn take_up(table: &mut HostedGame, start: &Start, turn: &Turn) -> Result<(), TextError> {
    if let Some(last) = turn.last
        && table.session().result().is_none()
    {
        // Where it does not fit the position is taken up whole.
        let _ = table.session_mut().play(&(last.y + 1).to_string());
    }
    if board(table) == turn.board {
        return Ok(());
    }
    table.go_to(Some(&turn.position(start)), &[])
}

/// The board as the side to move sees it.
fn board(table: &HostedGame) -> Vec<u8> {
    let session = table.session();
    let picture = session.picture().expect("a board of Connect Four can be drawn");
    Turn::of_picture(&picture, session.to_move()).board
}

/// Plays a move and says where its stone lands.
pub(crate) fn answer(table: &mut HostedGame) -> Result<Stone, ServeError> {
    if table.session().result().is_some() {
        return Err(TextError::new("a turn", "no turn after the end of the game", "close the input").into());
    }
    let mv = match table.forced() {
        Some(mv) => mv,
        None => best_of(&table.choose(&table.limits(), &mut Silent)?).to_owned(),
    };
    table.session_mut().play(&mv)?;
    let picture = table.session().picture().expect("a board of Connect Four can be drawn");
    Ok(Stone::last_of(&picture).expect("the last stone is on the board"))
}
