//! Answers the platform until `quit` or the end of input.

use std::io::{self, BufRead, Write};

use banyan_catalog::{AnalysisObserver, AnyGame, Opening};
use banyan_core::{Side, TextError};

use super::{Edge, FromEngine, LONGEST_LINE, ToEngine, Turn};
use crate::hosted_game::{HostedGame, best_of, require, size_of};
use crate::inbox::Inbox;
use crate::lines::Line;
use crate::{ServeError, Setup};

/// Speaks SAU about `game`, which has to be Dots and Boxes on a board whose longest turn fits into a line. `end`, `quit` and
/// the end of input end a search, which is then not answered. The budget is that of an edge, a game clock that of all.
///
/// What cannot be read or played is answered with a line that begins with `info`, which the platform passes over.
///
/// # Errors
/// Another game, a stream that breaks, or a player that cannot give a move.
pub fn serve(
    game: Box<dyn AnyGame>,
    setup: Setup,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError> {
    check_size(&*game)?;
    let table = HostedGame::new(game, setup)?;
    let inbox = Inbox::new(input, LONGEST_LINE);
    let mut server = Server { table, side: None, own: Vec::new(), refused: Vec::new(), inbox, output };
    while let Some(line) = server.inbox.next()? {
        let command = match line {
            Line::Text(text) => ToEngine::parse(&text),
            Line::TooLong => {
                Err(TextError::new("a long line", format!("at most {LONGEST_LINE} bytes"), "send turns only"))
            }
        };
        match command {
            Ok(Some(ToEngine::Quit)) => break,
            Ok(Some(command)) => server.answer(command)?,
            Ok(None) => {}
            Err(err) => server.inform(&err)?,
        }
    }
    Ok(())
}

fn check_size(game: &dyn AnyGame) -> Result<(), TextError> {
    require(game, "dots-and-boxes", "SAU")?;
    let (rows, columns) = size_of(&*game.open(Opening::Start)?);
    let n_edges = (rows + 1) * columns + rows * (columns + 1);
    let longest = Turn(vec![Edge { is_horizontal: true, row: 0, column: 0 }; n_edges]);
    let n_bytes = FromEngine::Move(longest).to_string().len() + 1;
    if n_bytes <= LONGEST_LINE && rows.max(columns) < 26 {
        return Ok(());
    }
    let expected = format!("turns that fit into a line of {LONGEST_LINE} bytes, one letter for each row");
    Err(TextError::new(game.spec(), expected, "take a smaller board, such as dots-and-boxes:5x5"))
}

struct Server<W> {
    table: HostedGame,
    /// The side we play; `None` between games.
    side: Option<Side>,
    /// Our last turn, which an `error` takes back.
    own: Vec<String>,
    /// First edges of turns that were refused in this position.
    refused: Vec<String>,
    inbox: Inbox,
    output: W,
}

impl<W: Write> Server<W> {
    fn answer(&mut self, command: ToEngine) -> Result<(), ServeError> {
        match command {
            ToEngine::Name => self.say(&FromEngine::Name("Banyan".to_owned()))?,
            ToEngine::New(side) => {
                self.table.clear()?;
                self.side = Some(side);
                self.own.clear();
                self.refused.clear();
                self.move_on()?;
            }
            ToEngine::Move(turn) => match self.take(&turn) {
                Ok(()) => {
                    self.own.clear();
                    self.refused.clear();
                    self.move_on()?;
                }
                Err(err) => self.inform(&err)?,
            },
            ToEngine::Error => self.another()?,
            ToEngine::End(_) => self.side = None,
            ToEngine::Quit => {}
        }
        Ok(())
    }

    fn say(&mut self, answer: &FromEngine) -> io::Result<()> {
        writeln!(self.output, "{answer}")?;
        self.output.flush()
    }

    /// Says something that the platform passes over, cut to the length of its lines.
    fn inform(&mut self, err: &TextError) -> io::Result<()> {
        let text: String = format!("info {err}").chars().filter(|char| !char.is_control()).collect();
        let ends = text.char_indices().map(|(i, char)| i + char.len_utf8());
        let end = ends.take_while(|&end| end < LONGEST_LINE).last().unwrap_or(0);
        writeln!(self.output, "{}", &text[..end])?;
        self.output.flush()
    }

    /// Plays the turn of the other side, or nothing of it.
    fn take(&mut self, turn: &Turn) -> Result<(), TextError> {
        let wrong = |expected: &str, remedy: &str| TextError::new(format!("move {turn}"), expected, remedy);
        let Some(own) = self.side else {
            return Err(wrong("a game", "begin one with new black or new white"));
        };
        let session = self.table.session_mut();
        let before = session.history().len();
        let mut played = Ok(());
        for edge in &turn.0 {
            if session.to_move() == own {
                played = Err(wrong("no edge after one that takes no box", "send the edges of one turn"));
            } else {
                played = session.play(&edge.as_move()).map(drop);
            }
            if played.is_err() {
                break;
            }
        }
        if played.is_ok() && session.result().is_none() && session.to_move() != own {
            played = Err(wrong("one edge more after one that takes a box", "send the whole turn"));
        }
        if played.is_err() {
            while session.history().len() > before {
                session.undo();
            }
        }
        played
    }

    /// Another turn in place of the one that was refused.
    fn another(&mut self) -> Result<(), ServeError> {
        let Some(first) = self.own.first().cloned() else {
            return Ok(self.inform(&TextError::new(
                "error",
                "a turn of ours that could be wrong",
                "send it after one",
            ))?);
        };
        for _ in 0..self.own.len() {
            self.table.session_mut().undo();
        }
        self.own.clear();
        self.refused.push(first);
        self.move_on()
    }

    /// Plays and says a turn, if it is ours and nothing ends the search.
    fn move_on(&mut self) -> Result<(), ServeError> {
        let mut turn = Vec::new();
        while Some(self.table.session().to_move()) == self.side && self.table.session().result().is_none() {
            let Some(mv) = self.choose(turn.is_empty())? else {
                for _ in 0..turn.len() {
                    self.table.session_mut().undo();
                }
                return Ok(());
            };
            self.table.session_mut().play(&mv)?;
            turn.push(mv);
        }
        if turn.is_empty() {
            return Ok(());
        }
        let edges = turn.iter().map(|mv| Edge::of_move(mv).expect("the board has fewer than 26 rows and columns"));
        self.say(&FromEngine::Move(Turn(edges.collect())))?;
        self.own = turn;
        Ok(())
    }

    /// An edge to draw, not a refused one if it is the first of a turn; `None` if there is none left or the search was
    /// ended.
    fn choose(&mut self, is_first: bool) -> Result<Option<String>, ServeError> {
        if let Some(mv) = self.table.forced().filter(|mv| !is_first || !self.refused.contains(mv)) {
            return Ok(Some(mv));
        }
        let mut listening = Listening { inbox: &mut self.inbox, cut: false };
        let limits = self.table.limits();
        let analysis = self.table.choose(&limits, &mut listening)?;
        if listening.cut {
            return Ok(None);
        }
        if !is_first || self.refused.is_empty() {
            return Ok(Some(best_of(&analysis).to_owned()));
        }
        let mut ranked = analysis.moves.iter().map(|view| view.mv.clone()).chain(self.table.session().legal_moves());
        Ok(ranked.find(|mv| !self.refused.contains(mv)))
    }
}

/// Ends a search when the game is over for the other side.
struct Listening<'a> {
    inbox: &'a mut Inbox,
    cut: bool,
}

impl AnalysisObserver for Listening<'_> {
    fn stopped(&mut self) -> bool {
        let ends = |line: &str| matches!(ToEngine::parse(line), Ok(Some(ToEngine::End(_) | ToEngine::Quit)));
        self.cut |= self.inbox.says(ends);
        self.cut
    }
}
