//! Transcripts of GTP: the commands that change the game, and the moves in the replies to `genmove`.

use banyan_core::{Side, TextError};

use super::{Color, Command, Vertex};
use crate::transcript::{Games, Line, Step, Transcript, at};

/// The commands of GTP that change the game.
const GTP_MOVES: [&str; 5] = ["boardsize", "clear_board", "play", "genmove", "undo"];

/// Whether the lines contain such a command.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| gtp_command(line).is_some())
}

/// Maximum length of a board size in characters; it is copied to every game on this board.
const LONGEST_SIZE: usize = 10;

/// The effect of a command, so that an error reply can undo it.
enum Change {
    Nothing,
    /// A game was begun.
    Game,
    /// A move was added to the last game.
    Step,
    /// This move of the last game was taken back.
    Undone(Step),
}

impl Change {
    fn take_back(self, games: &mut Games) {
        match (self, games.0.last_mut()) {
            (Change::Game, _) => drop(games.0.pop()),
            (Change::Step, Some(game)) => drop(game.steps.pop()),
            (Change::Undone(step), Some(game)) => game.steps.push(step),
            (Change::Nothing | Change::Step | Change::Undone(_), _) => {}
        }
    }
}

/// Adds the games of the lines.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let begun = |spec| Transcript { protocol: "gtp", spec, family: "reversi", ..Transcript::default() };
    games.0.push(begun(None));
    // The side whose generated move the next reply names, and its line.
    let mut awaited: Option<(usize, Side)> = None;
    // The effect of the last command, which an error reply undoes.
    let mut change = Change::Nothing;
    for line in lines {
        let place = |err| at(line.number, "", err);
        if line.text.starts_with('?') && line.from_engine != Some(false) {
            change.take_back(games);
            (change, awaited) = (Change::Nothing, None);
        } else if line.text.starts_with('=') && line.from_engine != Some(false) {
            let Some((_, side)) = awaited.take() else { continue };
            let word = line.text.split_whitespace().last().unwrap_or_default();
            match Vertex::parse(word.trim_start_matches('=')) {
                Some(Vertex::Resign) => {}
                vertex => {
                    let step = vertex.and_then(Vertex::as_move).map(|mv| line.step(Some(side), mv));
                    let step = step.ok_or_else(|| place(no_vertex(word)))?;
                    games.last(line.number, "reply")?.steps.push(step);
                    change = Change::Step;
                }
            }
        } else if let Some(command) = gtp_command(line) {
            check_answered(awaited)?;
            change = Change::Nothing;
            let argument = |i: usize| command.arguments.get(i).map_or("", String::as_str);
            let side = || {
                Color::parse(argument(0)).map(|color| color.0).ok_or_else(|| {
                    place(TextError::new(
                        format!("color {:?}", argument(0)),
                        "expected black or white",
                        "use one of them",
                    ))
                })
            };
            let spec = games.last(line.number, "command")?.spec.clone();
            match command.name.as_str() {
                "boardsize" => {
                    let size = argument(0);
                    if size.len() > LONGEST_SIZE {
                        return Err(place(TextError::new("a long board size", "expected a number", "try boardsize 8")));
                    }
                    games.0.push(begun(Some(format!("reversi:{size}x{size}"))));
                    change = Change::Game;
                }
                "clear_board" => {
                    games.0.push(begun(spec));
                    change = Change::Game;
                }
                "genmove" => awaited = Some((line.number, side()?)),
                "undo" => {
                    let undone = games.last(line.number, "undo")?.steps.pop();
                    change = undone.map_or(Change::Nothing, Change::Undone);
                }
                _ => {
                    let mv = Vertex::parse(argument(1)).and_then(Vertex::as_move);
                    let step = line.step(Some(side()?), mv.ok_or_else(|| place(no_vertex(argument(1))))?);
                    games.last(line.number, "play")?.steps.push(step);
                    change = Change::Step;
                }
            }
        }
    }
    check_answered(awaited)
}

/// The command that changes the game.
fn gtp_command(line: &Line<'_>) -> Option<Command> {
    let command = Command::parse(line.text).filter(|_| line.from_engine != Some(true));
    command.filter(|command| GTP_MOVES.contains(&command.name.as_str()))
}

/// Checks that a generated move is known.
fn check_answered(awaited: Option<(usize, Side)>) -> Result<(), TextError> {
    awaited.map_or(Ok(()), |(line, _)| {
        let expected = "expected the reply of the engine, which names the move";
        Err(at(line, "", TextError::new("genmove", expected, "add the replies, beginning with =")))
    })
}

fn no_vertex(text: &str) -> TextError {
    TextError::new(format!("{text:?}"), "expected a vertex such as F5, or pass", "write the move in GTP")
}
