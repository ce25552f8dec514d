//! Transcripts of GTP: the commands that change the game, and the moves in the replies to `genmove`.

use banyan_core::{Side, TextError};

use super::{Color, Command, Vertex};
use crate::scan::{Line, at};
use crate::transcript::{Games, Step, Transcript};

/// The commands of GTP that change the game.
const GTP_MOVES: [&str; 5] = ["boardsize", "clear_board", "play", "genmove", "undo"];

/// Maximum length of a board size in characters; it is copied to every game on this board.
const LONGEST_SIZE: usize = 10;

/// Whether the lines contain such a command.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    lines.iter().any(|line| gtp_command(line).is_some())
}

/// Adds the games of the lines.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    games.0.push(on_board(None));
    let mut reader = Reader { games, awaited: None, change: Change::Nothing };
    for line in lines {
        match (line.text.chars().next(), gtp_command(line)) {
            (Some('?'), _) if line.from_engine != Some(false) => reader.take_back(),
            (Some('='), _) if line.from_engine != Some(false) => reader.take_answer(line)?,
            (_, Some(command)) => reader.take_command(line, &command)?,
            _ => {}
        }
    }
    reader.check_answered()
}

/// The command of a line that changes the game.
fn gtp_command(line: &Line<'_>) -> Option<Command> {
    let command = Command::parse(line.text).filter(|_| line.from_engine != Some(true));
    command.filter(|command| GTP_MOVES.contains(&command.name.as_str()))
}

fn on_board(spec: Option<String>) -> Transcript {
    Transcript { protocol: "gtp", spec, family: "reversi", ..Transcript::default() }
}

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

struct Reader<'g> {
    games: &'g mut Games,
    /// The side whose generated move the next reply names, and the line of the command.
    awaited: Option<(usize, Side)>,
    /// The effect of the last command, which an error reply undoes.
    change: Change,
}

impl Reader<'_> {
    fn take_back(&mut self) {
        self.awaited = None;
        match (std::mem::replace(&mut self.change, Change::Nothing), self.games.0.last_mut()) {
            (Change::Game, _) => drop(self.games.0.pop()),
            (Change::Step, Some(game)) => drop(game.steps.pop()),
            (Change::Undone(step), Some(game)) => game.steps.push(step),
            (Change::Nothing | Change::Step | Change::Undone(_), _) => {}
        }
    }

    fn take_answer(&mut self, line: &Line<'_>) -> Result<(), TextError> {
        let Some((_, side)) = self.awaited.take() else { return Ok(()) };
        let word = line.text.split_whitespace().last().unwrap_or_default();
        match Vertex::parse(word.trim_start_matches('=')) {
            Some(Vertex::Resign) => Ok(()),
            vertex => self.add_move(line, side, vertex, word),
        }
    }

    fn take_command(&mut self, line: &Line<'_>, command: &Command) -> Result<(), TextError> {
        self.check_answered()?;
        self.change = Change::Nothing;
        let argument = |i: usize| command.arguments.get(i).map_or("", String::as_str);
        let side = || {
            let found = format!("color {:?}", argument(0));
            let wrong = || line.at(TextError::new(found, "expected black or white", "use one of them"));
            Color::parse(argument(0)).map(|color| color.0).ok_or_else(wrong)
        };
        match command.name.as_str() {
            "boardsize" if argument(0).len() > LONGEST_SIZE => {
                return Err(line.at(TextError::new("a long board size", "expected a number", "try boardsize 8")));
            }
            "boardsize" => self.begin(Some(format!("reversi:{0}x{0}", argument(0)))),
            "clear_board" => {
                let spec = self.games.last(line.number, "command")?.spec.clone();
                self.begin(spec);
            }
            "genmove" => self.awaited = Some((line.number, side()?)),
            "undo" => {
                let undone = self.games.last(line.number, "undo")?.steps.pop();
                self.change = undone.map_or(Change::Nothing, Change::Undone);
            }
            _ => return self.add_move(line, side()?, Vertex::parse(argument(1)), argument(1)),
        }
        Ok(())
    }

    fn begin(&mut self, spec: Option<String>) {
        self.games.0.push(on_board(spec));
        self.change = Change::Game;
    }

    fn add_move(&mut self, line: &Line<'_>, side: Side, vertex: Option<Vertex>, text: &str) -> Result<(), TextError> {
        let mv = vertex.and_then(Vertex::as_move).ok_or_else(|| {
            let expected = "expected a vertex such as F5, or pass";
            line.at(TextError::new(format!("{text:?}"), expected, "write the move in GTP"))
        })?;
        self.games.last(line.number, "move")?.steps.push(line.step(Some(side), mv));
        self.change = Change::Step;
        Ok(())
    }

    /// Checks that a generated move is known.
    fn check_answered(&self) -> Result<(), TextError> {
        self.awaited.map_or(Ok(()), |(line, _)| {
            let expected = "expected the reply of the engine, which names the move";
            Err(at(line, "", TextError::new("genmove", expected, "add the replies, beginning with =")))
        })
    }
}
