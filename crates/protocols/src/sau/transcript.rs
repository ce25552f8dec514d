//! Transcripts of SAU, in which a line is a whole turn.

use banyan_core::{Side, TextError};

use super::{Edge, ToEngine, Turn};
use crate::transcript::{Games, Line, Part, Place, Step, Transcript, at};

/// Whether a game begins there.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| line.word() == "new" && ToEngine::parse(line.text).is_ok())
}

/// Adds the games of the lines. The lines of both sides look alike, so the marks of direction are needed.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let mut engine = None;
    // The last turn, and whether the engine made it. `error` takes back one of the engine, however wrong it is.
    let mut last: Option<(bool, Result<Vec<Step>, TextError>)> = None;
    for line in lines {
        let Some(from_engine) = line.from_engine else {
            if line.text.is_empty() || !matches!(line.word(), "new" | "move" | "error") {
                continue;
            }
            let expected = "expected > before lines to the engine and < before lines from it, which look alike";
            return Err(at(line.number, "", TextError::new(line.text, expected, "mark the lines")));
        };
        if from_engine && line.word() != "move" {
            // The platform ignores it.
            continue;
        }
        if line.word() == "move" {
            add(games, last.take(), line.number)?;
            games.last(line.number, "move")?;
            let side = engine.map(|engine: Side| if from_engine { engine } else { !engine });
            last = Some((from_engine, steps(line, side)));
            continue;
        }
        match ToEngine::parse(line.text).map_err(|err| at(line.number, "", err))? {
            Some(ToEngine::New(side)) => {
                add(games, last.take(), line.number)?;
                engine = Some(side);
                let family = "dots-and-boxes";
                games.0.push(Transcript { protocol: "sau", family, ..Transcript::default() });
            }
            Some(ToEngine::Error) if !matches!(last.take(), Some((true, _))) => {
                let expected = "expected after a turn of the engine, which it takes back";
                return Err(at(line.number, "", TextError::new("error", expected, "leave it out")));
            }
            _ => {}
        }
    }
    add(games, last, lines.len())
}

/// Adds a turn that was not taken back.
fn add(games: &mut Games, turn: Option<(bool, Result<Vec<Step>, TextError>)>, line: usize) -> Result<(), TextError> {
    let Some((_, turn)) = turn else { return Ok(()) };
    games.last(line, "move")?.steps.extend(turn?);
    Ok(())
}

/// The edges of a turn, each with its place.
fn steps(line: &Line<'_>, side: Option<Side>) -> Result<Vec<Step>, TextError> {
    let words = words(line);
    let turn = line.text.strip_prefix("move").unwrap_or_default().trim().parse::<Turn>();
    let turn = turn.map_err(|err| at(Place::Column(line.number, wrong_column(line, &words)), "", err))?;
    let n = turn.0.len();
    let letters = words.last().map_or(line.column, |&(column, _)| column);
    let step = |(i, edge): (usize, &Edge)| Step {
        place: Place::Column(line.number, letters + 3 * i),
        side,
        mv: edge.as_move(),
        part: if i + 1 < n { Part::NotLast } else { Part::Last },
    };
    Ok(turn.0.iter().enumerate().map(step).collect())
}

/// The words of a line with their columns.
fn words<'t>(line: &Line<'t>) -> Vec<(usize, &'t str)> {
    let mut next = line.column;
    let with_column = |word: &'t str| {
        let column = next;
        next += word.chars().count() + 1;
        (!word.is_empty()).then_some((column, word))
    };
    line.text.split(char::is_whitespace).filter_map(with_column).collect()
}

/// The column at which a turn that cannot be read is wrong: a missing part, the first wrong edge, or else the number.
fn wrong_column(line: &Line<'_>, words: &[(usize, &str)]) -> usize {
    let end = line.column + line.text.chars().count();
    match words {
        [_, (number_column, number), (column, letters)] if number.parse::<usize>().is_ok() => {
            let edges: Vec<char> = letters.chars().collect();
            let is_wrong = |edge: &[char]| edge.iter().collect::<String>().parse::<Edge>().is_err();
            edges.chunks(3).position(is_wrong).map_or(*number_column, |i| column + 3 * i)
        }
        [_, (column, number), ..] if number.parse::<usize>().is_err() => *column,
        [_, _, _, (column, _), ..] => *column,
        _ => end,
    }
}
