//! Transcripts of SAU, in which each move line is a whole turn.

use banyan_core::{Side, TextError};

use super::codec::side_name;
use super::{Edge, ToEngine, Turn};
use crate::scan::{Line, Place, at};
use crate::transcript::{Games, Part, Step, Transcript, Winner};

/// Whether the lines contain the start of a game or a turn, valid or not.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    // A move of NBoard has no number of edges.
    let is_turn = |line: &Line<'_>| {
        let mut words = line.text.split_whitespace();
        words.next() == Some("move") && words.next().is_some_and(|number| number.parse::<usize>().is_ok())
    };
    lines.iter().any(|line| line.word() == "new" || is_turn(line))
}

/// Adds the games of the lines. The lines of both sides look alike, so the marks of direction are needed.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    // The side of the engine, and the line that ended the game.
    let (mut engine, mut end) = (None, None);
    // The last turn, and whether the engine made it. `error` undoes a turn of the engine, even an invalid one.
    let mut last: Option<(bool, Result<Vec<Step>, TextError>)> = None;
    for line in lines.iter().filter(|line| !line.text.is_empty()) {
        let Some(from_engine) = line.from_engine else {
            let expected = "expected > before lines to the engine and < before lines from it, which look alike";
            return Err(line.wrong(expected, "mark the lines"));
        };
        if from_engine && line.word() != "move" {
            // The platform ignores it.
            continue;
        }
        if let Some(end) = end
            && matches!(line.word(), "move" | "error" | "end")
        {
            let expected = format!("expected the beginning of a game before it, because line {end} ends the last one");
            return Err(line.wrong(expected, "leave it out"));
        }
        if line.word() == "move" {
            add(games, last.take(), line.number)?;
            games.last(line.number, "move")?;
            let side = engine.map(|engine: Side| if from_engine { engine } else { !engine });
            last = Some((from_engine, steps(line, side)));
            continue;
        }
        match command(line)? {
            ToEngine::New(side) => {
                add(games, last.take(), line.number)?;
                (engine, end) = (Some(side), None);
                let family = "dots-and-boxes";
                games.0.push(Transcript { protocol: "sau", family, ..Transcript::default() });
            }
            ToEngine::Error if !matches!(last.take(), Some((true, _))) => {
                let expected = "expected after a turn of the engine, which it takes back";
                return Err(line.wrong(expected, "leave it out"));
            }
            ToEngine::End(winner) => {
                add(games, last.take(), line.number)?;
                let winner = winner.map(|side| Winner { line: line.number, side, name: side_name(side) });
                games.last(line.number, "end")?.winner = winner;
                end = Some(line.number);
            }
            ToEngine::Quit => end = Some(line.number),
            ToEngine::Name | ToEngine::Move(_) | ToEngine::Error => {}
        }
    }
    add(games, last, lines.len())
}

/// The command of a line, with nothing after it.
fn command(line: &Line<'_>) -> Result<ToEngine, TextError> {
    let command = ToEngine::parse(line.text).map_err(|err| line.at(err))?;
    let is_whole = |command: &ToEngine| command.to_string().split(' ').eq(line.text.split_whitespace());
    command
        .filter(is_whole)
        .ok_or_else(|| line.wrong("expected name?, new, move, error, end or quit", "correct the line or leave it out"))
}

/// Adds a turn that was not undone.
fn add(games: &mut Games, turn: Option<(bool, Result<Vec<Step>, TextError>)>, line: usize) -> Result<(), TextError> {
    let Some((_, turn)) = turn else { return Ok(()) };
    games.last(line, "move")?.steps.extend(turn?);
    Ok(())
}

/// The edges of a turn, each with its place.
fn steps(line: &Line<'_>, side: Option<Side>) -> Result<Vec<Step>, TextError> {
    let words: Vec<(usize, &str)> = line.words().collect();
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

/// The column of the error in an invalid turn: a missing part, the first wrong edge, or else the number.
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
