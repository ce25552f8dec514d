//! Games as text for other programs and people: the writers of the forms.

use banyan_catalog::{GameState, Opening, Record, Session, svg, svg_with_structure};
use banyan_core::TextError;

use crate::ccgc;
use crate::nboard::Ggf;
use crate::score::Score;

/// A line breaks before this column.
const WIDTH: usize = 100;

/// The moves, separated by blanks.
pub(crate) fn moves(session: &Session, _: &[String; 2]) -> Result<String, TextError> {
    from_start(session, "moves")?;
    Ok(session.history().join(" "))
}

/// The moves without blanks, if the game reads them so and a pass may be left out, and the result.
pub(crate) fn transcript(session: &Session, _: &[String; 2]) -> Result<String, TextError> {
    from_start(session, "a transcript")?;
    let history = session.history();
    if history.is_empty() {
        return Ok(String::new());
    }
    let written: Vec<&str> = history.iter().map(String::as_str).filter(|mv| *mv != "pass").collect();
    let read = |text: &str| {
        GameState::open(session.rules().clone(), Opening::Moves(text)).is_ok_and(|game| game.history() == history)
    };
    let run = Some(written.concat()).filter(|run| written.len() > 1 && read(run));
    let text = run.unwrap_or_else(|| history.join(" "));
    Ok(format!("{text} {}", Score::text(session)))
}

/// Tags, and numbered moves with the result.
pub(crate) fn pgn(session: &Session, players: &[String; 2]) -> Result<String, TextError> {
    let score = Score::text(session);
    let [first, second] = players.each_ref().map(|name| name.replace(['"', '\n', '\r'], "'"));
    let mut text = format!("[Game \"{}\"]\n", session.spec());
    if let Some(position) = session.opening() {
        text += &format!("[Position \"{position}\"]\n");
    }
    text += &format!("[First \"{first}\"]\n[Second \"{second}\"]\n[Result \"{score}\"]\n\n");
    let number = |(i, mv): (usize, &String)| if i % 2 == 0 { format!("{}. {mv}", i / 2 + 1) } else { mv.clone() };
    let words = session.history().iter().enumerate().map(number).chain([score]).collect::<Vec<_>>();
    let mut column = 0;
    for word in words {
        let length = word.chars().count();
        if column > 0 {
            let breaks = column + length >= WIDTH;
            text.push(if breaks { '\n' } else { ' ' });
            column = if breaks { 0 } else { column + 1 };
        }
        text += &word;
        column += length;
    }
    Ok(text + "\n")
}

/// The position in the notation of the game, which does not name the board.
pub(crate) fn position(session: &Session, _: &[String; 2]) -> Result<String, TextError> {
    Ok(session.position())
}

/// GGF, with the names and the result.
pub(crate) fn ggf(session: &Session, players: &[String; 2]) -> Result<String, TextError> {
    // GGF does not name the way of counting.
    let game = Ggf::of(session).filter(|_| !session.spec().contains(','));
    let game = game.ok_or_else(|| {
        TextError::new(
            session.spec(),
            "expected Reversi with the usual counting, the game of GGF",
            "choose another form",
        )
    })?;
    let result = session.result().map(|margin| margin.0);
    Ok(Ggf { players: Some(players.clone()), result, ..game }.to_string())
}

/// A game as `save` writes it.
pub(crate) fn saved(session: &Session, players: &[String; 2]) -> Result<String, TextError> {
    Ok(Record::of(session, players.clone()).write())
}

/// A record of the championship.
pub(crate) fn championship(session: &Session, players: &[String; 2]) -> Result<String, TextError> {
    let heading = ccgc::Heading { players: players.clone(), ..ccgc::Heading::default() };
    Ok(ccgc::Record::of(session, &heading)?.write())
}

/// The board as a drawing, whose title is the game and the position.
pub(crate) fn drawing(session: &Session, _: &[String; 2]) -> Result<String, TextError> {
    let picture = session.picture().ok_or_else(|| {
        TextError::new(session.spec(), "expected a game with a board that can be drawn", "choose another form")
    })?;
    Ok(svg(&picture, &drawing_title(session)))
}

/// The board as a drawing for elsewhere, without the dots of legal moves, which would be unexplained there; with its structure marked if
/// `structure`. `None` if the board cannot be drawn.
pub fn drawing_without_moves(state: &GameState, structure: bool) -> Option<String> {
    let mut picture = state.picture()?;
    picture.cells.iter_mut().for_each(|cell| cell.legal = false);
    let title = drawing_title(state);
    Some(match state.structure().filter(|_| structure) {
        Some(structure) => svg_with_structure(&picture, &structure, &title),
        None => svg(&picture, &title),
    })
}

/// The title of a drawing, from which its position is read again.
pub fn drawing_title(state: &GameState) -> String {
    format!("{}: {}", state.spec(), state.position())
}

/// Checks that a game begins at the start, since its moves alone are written.
fn from_start(session: &Session, what: &str) -> Result<(), TextError> {
    if session.opening().is_none() {
        return Ok(());
    }
    let expected = format!("expected a game from the start, since {what} cannot name another position");
    Err(TextError::new("a game from a position", expected, "choose the form pgn or saved"))
}
