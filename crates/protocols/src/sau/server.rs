//! SAU server: answers the platform until `quit` or the end of input.

use std::io::{self, BufRead, Write};

use banyan_catalog::{AnalysisObserver, AnyGame, Opening};
use banyan_core::{Side, TextError};

use super::{Edge, FromEngine, LONGEST_LINE, ToEngine, Turn};
use crate::server::{HostedGame, Inbox, Line, ServeError, Setup, best_of, require, size_of};

/// Serves SAU for `game`, which must be Dots and Boxes on a board whose longest turn fits into a line. `end`, `quit` and the
/// end of input end a search without an answer. The budget is per edge; a game clock covers the whole game.
///
/// Errors are sent as lines that start with `info`, which the platform ignores.
///
/// # Errors
/// Another game, a stream error, or a player without a move.
pub fn serve(
    game: AnyGame,
    setup: Setup,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> Result<(), ServeError> {
    check_size(&game)?;
    let table = HostedGame::new(game, setup)?;
    let inbox = Inbox::new(input, LONGEST_LINE);
    let mut server = Server { table, side: None, own: Vec::new(), rejected: Vec::new(), inbox, output };
    while let Some(line) = server.inbox.next()? {
        let command = match line {
            Line::Text(text) => ToEngine::parse(&text),
            Line::TooLong => Err(TextError::new(
                "line too long",
                format!("expected at most {LONGEST_LINE} bytes"),
                "send one turn per line",
            )),
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

fn check_size(game: &AnyGame) -> Result<(), TextError> {
    require(game, "dots-and-boxes", "SAU")?;
    let (rows, columns) = size_of(&*game.open(Opening::Start)?);
    let n_edges = (rows + 1) * columns + rows * (columns + 1);
    let longest = Turn(vec![Edge { is_horizontal: true, row: 0, column: 0 }; n_edges]);
    let n_bytes = FromEngine::Move(longest).to_string().len() + 1;
    if n_bytes <= LONGEST_LINE && rows.max(columns) < 26 {
        return Ok(());
    }
    let expected =
        format!("the longest turn exceeds a line of {LONGEST_LINE} bytes, or the board has more than 26 rows");
    Err(TextError::new(game.spec(), expected, "use a smaller board, such as dots-and-boxes:5x5"))
}

struct Server<W> {
    table: HostedGame,
    /// The engine's side; `None` between games.
    side: Option<Side>,
    /// The engine's last turn, undone on `error`.
    own: Vec<String>,
    /// First edges of turns rejected in this position.
    rejected: Vec<String>,
    inbox: Inbox,
    output: W,
}

impl<W: Write> Server<W> {
    fn answer(&mut self, command: ToEngine) -> Result<(), ServeError> {
        match command {
            ToEngine::Name => self.send(&FromEngine::Name("Banyan".to_owned()))?,
            ToEngine::New(side) => {
                self.table.clear()?;
                self.side = Some(side);
                self.own.clear();
                self.rejected.clear();
                self.move_on()?;
            }
            ToEngine::Move(turn) => match self.take(&turn) {
                Ok(()) => {
                    self.own.clear();
                    self.rejected.clear();
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

    fn send(&mut self, answer: &FromEngine) -> io::Result<()> {
        writeln!(self.output, "{answer}")?;
        self.output.flush()
    }

    /// Sends an error, which the platform ignores, truncated to the maximum line length.
    fn inform(&mut self, err: &TextError) -> io::Result<()> {
        let text: String = format!("info {err}").chars().filter(|char| !char.is_control()).collect();
        let ends = text.char_indices().map(|(i, char)| i + char.len_utf8());
        let end = ends.take_while(|&end| end < LONGEST_LINE).last().unwrap_or(0);
        writeln!(self.output, "{}", &text[..end])?;
        self.output.flush()
    }

    /// Plays the opponent's turn completely, or not at all.
    fn take(&mut self, turn: &Turn) -> Result<(), TextError> {
        let wrong = |expected: &str, remedy: &str| TextError::new(format!("move {turn}"), expected, remedy);
        let Some(own) = self.side else {
            return Err(wrong("no game has started", "send new black or new white first"));
        };
        let session = self.table.session_mut();
        let before = session.history().len();
        let mut played = Ok(());
        for edge in &turn.0 {
            if session.to_move() == own {
                played =
                    Err(wrong("the turn ends with the first edge that completes no box", "send the edges of one turn"));
            } else {
                played = session.play(&edge.as_move()).map(drop);
            }
            if played.is_err() {
                break;
            }
        }
        if played.is_ok() && session.result().is_none() && session.to_move() != own {
            played = Err(wrong("another edge is required after a completed box", "send the whole turn"));
        }
        if played.is_err() {
            while session.history().len() > before {
                session.undo();
            }
        }
        played
    }

    /// Replaces the rejected turn of the engine by another one.
    fn another(&mut self) -> Result<(), ServeError> {
        let Some(first) = self.own.first().cloned() else {
            return Ok(self.inform(&TextError::new("error", "expected a turn before it", "send it after a turn"))?);
        };
        for _ in 0..self.own.len() {
            self.table.session_mut().undo();
        }
        self.own.clear();
        self.rejected.push(first);
        self.move_on()
    }

    /// Plays and sends a turn, unless the search is ended.
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
        self.send(&FromEngine::Move(Turn(edges.collect())))?;
        self.own = turn;
        Ok(())
    }

    /// The next edge; as the first of a turn, not a rejected one. `None` if there is none or the search was ended.
    fn choose(&mut self, is_first: bool) -> Result<Option<String>, ServeError> {
        if let Some(mv) = self.table.forced().filter(|mv| !is_first || !self.rejected.contains(mv)) {
            return Ok(Some(mv));
        }
        let mut listening = Listening { inbox: &mut self.inbox, cut: false };
        let limits = self.table.limits();
        let analysis = self.table.choose(&limits, &mut listening)?;
        if listening.cut {
            return Ok(None);
        }
        if !is_first || self.rejected.is_empty() {
            return Ok(Some(best_of(&analysis).to_owned()));
        }
        let mut ranked = analysis.moves.iter().map(|view| view.mv.clone()).chain(self.table.session().legal_moves());
        Ok(ranked.find(|mv| !self.rejected.contains(mv)))
    }
}

/// Ends a search when the platform ends the game.
struct Listening<'a> {
    inbox: &'a mut Inbox,
    cut: bool,
}

impl AnalysisObserver for Listening<'_> {
    fn stopped(&mut self) -> bool {
        let ends = |line: &str| matches!(ToEngine::parse(line), Ok(Some(ToEngine::End(_) | ToEngine::Quit)));
        self.cut |= self.inbox.has_stop(ends);
        self.cut
    }
}
