//! Serves a strategy library over UGI.

use std::io::{self, BufRead, Write};

use banyan_catalog::{Catalog, Opening, Session};
use banyan_core::TextError;
use banyan_formats::ugi::split_position;

use super::{Library, Point, board};
use crate::process::{LONGEST_MESSAGE, quoted};
use crate::saiblo::{Start, Turn};
use crate::server::{Line, Lines};
use crate::ugi::send_error;
use banyan_formats::strip_words;

/// The default board.
const DEFAULT_GAME: &str = "connect-four";

/// Serves `library` over UGI on `input` and `output` until `quit` or the end of input. Limits are ignored, because the ABI
/// cannot express them.
///
/// # Errors
/// Read errors of `input` and write errors of `output`.
pub fn serve(catalog: &Catalog, library: &Library, input: impl BufRead, output: &mut dyn Write) -> io::Result<()> {
    let session = open(catalog, DEFAULT_GAME, "startpos").expect("libraries support the default board");
    let mut host = Host { catalog, library, output, session: Ok(session), game: DEFAULT_GAME.to_owned() };
    let mut lines = Lines::new(input, LONGEST_MESSAGE);
    while let Some(line) = lines.next()? {
        let done = match &line {
            Line::TooLong => {
                host.send_error(&TextError::new("line too long", "expected a UGI command", "send a shorter line"))
            }
            Line::Text(line) if line.trim() == "quit" => break,
            Line::Text(line) => host.execute(line.trim()),
        };
        done?;
        host.output.flush()?;
    }
    Ok(())
}

struct Host<'a> {
    catalog: &'a Catalog,
    library: &'a Library,
    output: &'a mut dyn Write,
    game: String,
    /// The current position, or the error of the last one.
    session: Result<Session, TextError>,
}

impl Host<'_> {
    fn execute(&mut self, line: &str) -> io::Result<()> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "ugi" => {
                writeln!(self.output, "id name {}", self.library.path().display())?;
                writeln!(self.output, "id extensions errors")?;
                writeln!(self.output, "option name Game type combo default {DEFAULT_GAME} var {DEFAULT_GAME}")?;
                writeln!(self.output, "ugiok")
            }
            "isready" => writeln!(self.output, "readyok"),
            "setoption" => self.set(rest.trim()),
            "uginewgame" => self.set_position(self.game.clone(), "startpos"),
            "position" => self.set_position(self.game.clone(), rest),
            "go" => self.go(),
            // A library cannot be stopped.
            "stop" | "" => Ok(()),
            _ => {
                let expected = "expected one of ugi, setoption, isready, uginewgame, position, go, stop, quit";
                self.send_error(&TextError::new(quoted(word), expected, "see docs/ugi.md"))
            }
        }
    }

    fn send_error(&mut self, err: &TextError) -> io::Result<()> {
        send_error(self.output, err)
    }

    fn set(&mut self, text: &str) -> io::Result<()> {
        match strip_words(text, &["name", "Game", "value"]) {
            Some(game) => self.set_position(game.to_owned(), "startpos"),
            None => {
                let expected = "expected Game, the only option of a strategy library";
                self.send_error(&TextError::new(format!("setoption {}", quoted(text)), expected, "remove it"))
            }
        }
    }

    fn set_position(&mut self, game: String, position: &str) -> io::Result<()> {
        self.session = open(self.catalog, &game, position);
        self.game = game;
        match self.session.as_ref().err().cloned() {
            Some(err) => self.send_error(&err),
            None => Ok(()),
        }
    }

    fn go(&mut self) -> io::Result<()> {
        match self.choose() {
            Ok(mv) => writeln!(self.output, "bestmove {mv}"),
            Err(err) => {
                self.send_error(&err)?;
                writeln!(self.output, "bestmove none")
            }
        }
    }

    fn choose(&self) -> Result<String, TextError> {
        let session = self.session.as_ref().map_err(Clone::clone)?;
        if session.result().is_some() {
            return Err(TextError::new("go", "expected a game that is not over", "set another position"));
        }
        let board = board(session)?;
        let picture = session.picture().expect("a board of Connect Four can be drawn");
        let turn = Turn::of_picture(&picture, session.to_move());
        let column = judge(&board, &turn, self.library.get_point(&board, &turn))?;
        Ok((column + 1).to_string())
    }
}

fn open(catalog: &Catalog, game: &str, position: &str) -> Result<Session, TextError> {
    let (place, moves) = split_position(position)?;
    let opening = if place.is_empty() { Opening::Start } else { Opening::Position(&place) };
    let mut session = catalog.game(game)?.open(opening)?;
    board(&session)?;
    session.play_all(&moves.join(" "))?;
    Ok(session)
}

/// The column of an answer, if its stone lands on the given row.
fn judge(board: &Start, turn: &Turn, answer: Option<Point>) -> Result<usize, TextError> {
    let remedy = "return x = top[y] - 1, counted from 0 at the top left";
    let Some(Point { x, y }) = answer else {
        return Err(TextError::new("getPoint returned a null pointer", "expected a Point", remedy));
    };
    let wrong = |expected: String| Err(TextError::new(format!("getPoint returned x = {x}, y = {y}"), expected, remedy));
    let Some((top, column)) = usize::try_from(y).ok().and_then(|y| Some((*turn.top.get(y)?, y))) else {
        return wrong(format!("expected a column y from 0 to {}", board.columns - 1));
    };
    match usize::try_from(x) {
        _ if top == 0 => wrong(format!("column {y} is full")),
        Ok(x) if x == top - 1 => Ok(column),
        _ => wrong(format!("the stone of column {y} lands on x = {}", top - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::saiblo::Stone;

    /// ```text
    /// x = 0  .  .  -  .
    /// x = 1  .  .  .  o
    /// x = 2  .  .  x  x
    /// ```
    #[test]
    fn answers_are_judged_by_row_and_column() {
        let board = Start { rows: 3, columns: 4, hole: Some(Stone { x: 0, y: 2 }) };
        let turn = Turn { last: None, top: vec![3, 3, 2, 0], board: vec![0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 1, 1] };
        let judged = |x, y| judge(&board, &turn, Some(Point { x, y })).map_err(|err| err.to_string());
        for (x, y) in [(2, 0), (2, 1), (1, 2)] {
            assert_eq!(judged(x, y), Ok(y as usize));
        }
        for (x, y, part) in [
            (1, 0, "x = 1, y = 0: the stone of column 0 lands on x = 2"),
            (-1, 2, "the stone of column 2 lands on x = 1"),
            (0, 3, "column 3 is full"),
            (-1, 3, "column 3 is full"),
            (2, 4, "expected a column y from 0 to 3"),
            (2, -1, "expected a column y from 0 to 3"),
            (i32::MIN, i32::MAX, "expected a column y"),
        ] {
            let err = judged(x, y).expect_err("illegal");
            assert!(err.contains(part) && !err.contains('\n'), "{err}");
        }
        assert!(judge(&board, &turn, None).expect_err("nothing").to_string().contains("a null pointer"));
    }
}
