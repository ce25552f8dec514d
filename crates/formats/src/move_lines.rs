//! Games as lines of moves without blanks: digits of Connect Four, as on connect4.gamesolver.org, and squares of Reversi.

use banyan_core::TextError;

use crate::transcript::{Games, Line, MOST_MOVES, Part, Place, Step, Transcript, at};

/// The text before the digits in an address of the page.
const QUERY: &str = "pos=";

/// Whether every line is one game of Connect Four or every line one of Reversi.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    let mut texts = texts(lines).map(|(_, text)| text).peekable();
    texts.peek().is_some() && (texts.clone().all(is_columns) || texts.all(is_squares))
}

/// The non-empty lines; of an address only the digits.
fn texts<'t>(lines: &'t [Line<'_>]) -> impl Iterator<Item = (&'t Line<'t>, &'t str)> + Clone {
    let used = lines.iter().filter(|line| !line.text.is_empty());
    used.map(|line| (line, line.text.rsplit_once(QUERY).map_or(line.text, |(_, digits)| digits)))
}

fn is_columns(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'1'..=b'9'))
}

fn is_squares(text: &str) -> bool {
    let is_square = |pair: &[u8]| pair[0].is_ascii_alphabetic() && matches!(pair[1], b'1'..=b'8');
    !text.is_empty() && text.len().is_multiple_of(2) && text.as_bytes().chunks(2).all(is_square)
}

/// Reads each line as one game.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    for (line, text) in texts(lines) {
        let (protocol, family, length) =
            if is_columns(text) { ("gamesolver", "connect-four", 1) } else { ("transcript", "reversi", 2) };
        let (first, n_moves) = (line.column + line.text.len() - text.len(), text.len() / length);
        if n_moves > MOST_MOVES {
            let expected = format!("expected at most {MOST_MOVES}");
            return Err(at(
                line.number,
                "",
                TextError::new(format!("{n_moves} moves"), expected, "write one game a line"),
            ));
        }
        let step = |(i, mv): (usize, &[u8])| Step {
            place: Place::Column(line.number, first + i * length),
            side: None,
            mv: String::from_utf8_lossy(mv).into_owned(),
            part: Part::Move,
        };
        let steps = text.as_bytes().chunks(length).enumerate().map(step).collect();
        // Not `add`: a game with the same beginning as the previous one is a different game.
        games.collect(Transcript { protocol, family, steps, ..Transcript::default() });
    }
    Ok(())
}
