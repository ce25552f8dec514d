//! Answers one request, or every one until the end of input.

use std::io::{BufRead, Write};

use banyan_catalog::AnyGame;
use banyan_core::{Silent, TextError};

use super::{Input, KEEP_RUNNING, Place, Response};
use crate::hosted_game::{HostedGame, best_of, require};
use crate::lines::{Line, Lines};
use crate::{ServeError, Setup};

/// Longer requests are refused. One with a whole game takes some two thousand bytes.
const LONGEST_LINE: usize = 256 * 1024;

/// How long the program lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Life {
    /// For one request.
    OneShot,
    /// Until the end of input: it asks to be kept running.
    KeepRunning,
}

/// Speaks Botzone's JSON about `game`, which has to be Reversi on 8x8.
///
/// # Errors
/// Another game, a request that cannot be read or played, a stream that breaks, or a player that cannot give a move.
pub fn serve(
    game: Box<dyn AnyGame>,
    setup: Setup,
    life: Life,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), ServeError> {
    require(&*game, "reversi", "Botzone")?;
    let spec = game.spec();
    let mut table = HostedGame::new(game, setup)?;
    if table.size() != (8, 8) {
        return Err(TextError::new(spec, "Botzone knows Reversi on 8x8", "name reversi").into());
    }
    let mut lines = Lines::new(input, LONGEST_LINE);
    while let Some(line) = lines.next()? {
        let input = match line {
            Line::Text(text) if text.trim().is_empty() => continue,
            Line::Text(text) => Input::parse(&text)?,
            Line::TooLong => {
                let expected = format!("at most {LONGEST_LINE} bytes");
                return Err(TextError::new("a long line", expected, "send one request in a line").into());
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

/// Plays what is new.
fn take_up(table: &mut HostedGame, input: &Input) -> Result<(), TextError> {
    match input {
        Input::History { requests, responses } => {
            // Nothing was played before the first request of the side that begins.
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

/// Plays a move: a pass when there is no other, or when the game is over.
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
