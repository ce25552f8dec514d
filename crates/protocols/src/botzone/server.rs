//! Botzone server: answers one request, or all until the end of input.

use std::io::{BufRead, Write};

use banyan_catalog::AnyGame;
use banyan_core::{Silent, TextError};

use super::{Input, KEEP_RUNNING, Place, Response};
use crate::server::{HostedGame, Line, Lines, ServeError, Setup, best_of, require};

/// Maximum length of a request in bytes. A request with a whole game takes about 2000.
const LONGEST_LINE: usize = 256 * 1024;

/// Lifetime of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// Exit after one request.
    OneShot,
    /// Request to be kept running until the end of input.
    KeepRunning,
}

/// Serves Botzone's JSON for `game`, which must be Reversi on 8x8.
///
/// # Errors
/// Another game, an invalid request, a stream error, or a player without a move.
pub fn serve(
    game: AnyGame,
    setup: Setup,
    life: Life,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), ServeError> {
    require(&game, "reversi", "Botzone")?;
    let spec = game.spec();
    let mut table = HostedGame::new(game, setup)?;
    if table.size() != (8, 8) {
        return Err(TextError::new(
            spec,
            "expected Reversi on 8x8, the only game that Botzone supports",
            "use reversi",
        )
        .into());
    }
    let mut lines = Lines::new(input, LONGEST_LINE);
    while let Some(line) = lines.next()? {
        let input = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => Input::parse(&text)?,
            Line::TooLong => {
                let expected = format!("expected at most {LONGEST_LINE} bytes");
                return Err(TextError::new("line too long", expected, "send one request per line").into());
            }
        };
        take_up(&mut table, &input)?;
        writeln!(output, "{}", answer(&mut table)?.to_line())?;
        if life == Life::KeepRunning {
            writeln!(output, "{KEEP_RUNNING}")?;
        }
        output.flush()?;
        if life == Life::OneShot {
            break;
        }
    }
    Ok(())
}

/// Plays the new moves.
fn take_up(table: &mut HostedGame, input: &Input) -> Result<(), TextError> {
    match input {
        Input::History { requests, responses } => {
            // The side that moves first has no opponent's move in its first request.
            let begins = requests.first() == Some(&Place::NONE);
            let mut moves = Vec::new();
            for (i, request) in requests.iter().enumerate() {
                if i > 0 || !begins {
                    moves.push(request.as_move()?);
                }
                if let Some(response) = responses.get(i) {
                    moves.push(response.as_move()?);
                }
            }
            table.go_to(None, &moves)
        }
        Input::Request(place) => {
            let mv = place.as_move()?;
            let is_beginning = *place == Place::NONE && table.session().history().is_empty();
            let is_over = table.session().result().is_some();
            if is_beginning || is_over {
                return Ok(());
            }
            table.session_mut().play(&mv).map(drop)
        }
    }
}

/// Chooses and plays a move; a pass if there is no other or the game is over.
fn answer(table: &mut HostedGame) -> Result<Response, ServeError> {
    if table.session().result().is_some() {
        return Ok(Response { response: Place::NONE, debug: Some("the game is over".to_owned()) });
    }
    let (mv, debug) = match table.forced() {
        Some(mv) => (mv, "the only move".to_owned()),
        None => {
            let analysis = table.choose(&table.limits(), &mut Silent)?;
            let debug = format!("{} playouts, {:.2} % to win", analysis.playouts, analysis.win_percent());
            (best_of(&analysis).to_owned(), debug)
        }
    };
    table.session_mut().play(&mv)?;
    let response = Place::of_move(&mv).expect("the board is 8x8");
    Ok(Response { response, debug: Some(debug) })
}
