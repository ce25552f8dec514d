//! GTP server: answers commands until `quit` or the end of input.

use std::io::{BufRead, Write};
use std::time::Instant;

use banyan_catalog::{AnyGame, Catalog};
use banyan_core::{Limits, Side, Silent};

use super::clock::Clocks;
use super::vertex::column_letter;
use super::{Color, Command, Reply, Vertex};
use crate::hosted_game::{HostedGame, best_of, require};
use crate::lines::{Line, Lines};
use crate::{ServeError, Setup};

/// Maximum length of a line in bytes; longer ones are answered with an error.
const LONGEST_LINE: usize = 4096;

/// An answer, or an error message.
type Answer = Result<String, String>;

/// The handler of one command.
type Handler = fn(&mut Server, &[String]) -> Answer;

/// Every command, in the order of `list_commands`. The last six are GoGui's interface for games other than Go.
const COMMANDS: &[(&str, Handler)] = &[
    ("protocol_version", |_, _| Ok("2".to_owned())),
    ("name", |_, _| Ok("Banyan".to_owned())),
    ("version", |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned())),
    ("known_command", |_, words| Ok(words.first().is_some_and(|name| handler(name).is_some()).to_string())),
    ("list_commands", |_, _| Ok(COMMANDS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join("\n"))),
    ("quit", |server, _| server.leave()),
    ("boardsize", Server::change_size),
    ("clear_board", |server, _| server.clear()),
    ("komi", |_, words| number(words, 0, "komi").map(|_| String::new())),
    ("play", Server::play),
    ("genmove", Server::genmove),
    ("reg_genmove", Server::reg_genmove),
    ("undo", |server, _| server.undo()),
    ("showboard", |server, _| Ok(server.board())),
    ("time_settings", Server::set_time),
    ("time_left", Server::set_time_left),
    ("final_score", |server, _| server.final_score()),
    ("gogui-rules_game_id", |_, _| Ok("Reversi".to_owned())),
    ("gogui-rules_board", |server, _| Ok(server.plain_board())),
    ("gogui-rules_board_size", |server, _| Ok(server.table.size().0.to_string())),
    ("gogui-rules_legal_moves", |server, _| Ok(server.legal_moves())),
    ("gogui-rules_side_to_move", |server, _| Ok(Color(server.table.session().to_move()).to_string())),
    ("gogui-rules_final_result", |server, _| Ok(server.final_result())),
];

fn handler(name: &str) -> Option<Handler> {
    COMMANDS.iter().find(|(known, _)| *known == name).map(|&(_, handler)| handler)
}

/// Serves GTP for `game`, which must be Reversi on a square board. A command is answered before the next is read.
///
/// # Errors
/// Another game, or a stream error. All other errors are sent as replies.
pub fn serve(
    catalog: &Catalog,
    game: AnyGame,
    setup: Setup,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), ServeError> {
    let mut server = Server::new(catalog.clone(), game, setup)?;
    let mut lines = Lines::new(input, LONGEST_LINE);
    while let Some(line) = lines.next()? {
        let reply = match line {
            Line::Text(text) => match Command::parse(&text) {
                Some(command) => server.answer(&command),
                None => continue,
            },
            Line::TooLong => Reply { id: None, result: Err(format!("line longer than {LONGEST_LINE} bytes")) },
        };
        write!(output, "{reply}")?;
        output.flush()?;
        if server.leaves {
            break;
        }
    }
    Ok(())
}

struct Server {
    table: HostedGame,
    catalog: Catalog,
    clocks: Clocks,
    /// Plies played by each command: an omitted pass is counted with the move after it.
    plies: Vec<usize>,
    leaves: bool,
}

impl Server {
    fn new(catalog: Catalog, game: AnyGame, setup: Setup) -> Result<Server, ServeError> {
        require(&game, "reversi", "GTP")?;
        let table = HostedGame::new(game, setup)?;
        Ok(Server { table, catalog, clocks: Clocks::default(), plies: Vec::new(), leaves: false })
    }

    fn answer(&mut self, command: &Command) -> Reply {
        let handler = handler(&command.name).ok_or_else(|| "unknown command".to_owned());
        Reply { id: command.id, result: handler.and_then(|handler| handler(self, &command.arguments)) }
    }

    fn leave(&mut self) -> Answer {
        self.leaves = true;
        Ok(String::new())
    }

    fn change_size(&mut self, words: &[String]) -> Answer {
        let side = word(words, 0, "a number of rows")?;
        let changed = self.table.change_reversi_size(&self.catalog, side, None, &[]);
        changed.map_err(|err| format!("unacceptable size: {err}"))?;
        self.begin_anew();
        Ok(String::new())
    }

    fn clear(&mut self) -> Answer {
        self.table.clear().map_err(|err| err.to_string())?;
        self.begin_anew();
        Ok(String::new())
    }

    fn begin_anew(&mut self) {
        self.plies.clear();
        self.clocks.refill();
    }

    fn play(&mut self, words: &[String]) -> Answer {
        let side = side(words)?;
        let text = word(words, 1, "a move")?;
        let mv = Vertex::parse(text)
            .and_then(Vertex::as_move)
            .ok_or_else(|| format!("illegal move: {text:?} is not a vertex"))?;
        if self.table.session().result().is_some() && mv == "pass" {
            // Some controllers send passes after the end of the game.
            self.plies.push(0);
            return Ok(String::new());
        }
        let passed = self.turn_to(side)?;
        let played = self.table.session_mut().play(&mv);
        if let Err(err) = played {
            self.take_back(passed);
            return Err(format!("illegal move: {err}"));
        }
        self.plies.push(passed + 1);
        Ok(String::new())
    }

    fn genmove(&mut self, words: &[String]) -> Answer {
        let side = side(words)?;
        let passed = self.turn_to(side)?;
        let begun = Instant::now();
        let limits = self.clocks.limits(side, self.table.limits());
        let chosen = self.choose(&limits);
        self.clocks.spend(side, begun.elapsed());
        match chosen {
            Ok(mv) if self.table.session().result().is_some() => {
                self.plies.push(passed);
                Ok(vertex(&mv))
            }
            Ok(mv) => {
                self.table.session_mut().play(&mv).map_err(|err| err.to_string())?;
                self.plies.push(passed + 1);
                Ok(vertex(&mv))
            }
            Err(fault) => {
                self.take_back(passed);
                Err(fault)
            }
        }
    }

    /// Chooses a move like `genmove`, but does not play it and uses no clock.
    fn reg_genmove(&mut self, words: &[String]) -> Answer {
        let passed = self.turn_to(side(words)?)?;
        let limits = self.table.limits();
        let chosen = self.choose(&limits);
        self.take_back(passed);
        chosen.map(|mv| vertex(&mv))
    }

    /// A move in Banyan's notation; a pass if the game is over.
    fn choose(&mut self, limits: &Limits) -> Answer {
        if self.table.session().result().is_some() {
            return Ok("pass".to_owned());
        }
        if let Some(mv) = self.table.forced() {
            return Ok(mv);
        }
        let analysis =
            self.table.choose(limits, &mut Silent).map_err(|fault| format!("no move: the player {fault}"))?;
        Ok(best_of(&analysis).to_owned())
    }

    /// Makes it the turn of `side`, by a pass if the opponent has no other move. Returns the plies played.
    fn turn_to(&mut self, side: Side) -> Result<usize, String> {
        let session = self.table.session_mut();
        if session.to_move() == side || session.result().is_some() {
            return Ok(0);
        }
        if session.legal_moves() == ["pass"] {
            session.play("pass").map_err(|err| err.to_string())?;
            return Ok(1);
        }
        Err(format!("wrong color: {} is to move and has a legal move", Color(!side)))
    }

    fn take_back(&mut self, plies: usize) {
        for _ in 0..plies {
            self.table.session_mut().undo();
        }
    }

    fn undo(&mut self) -> Answer {
        let plies = self.plies.pop().ok_or("cannot undo: no move was played")?;
        self.take_back(plies);
        Ok(String::new())
    }

    fn set_time(&mut self, words: &[String]) -> Answer {
        let main = seconds(words, 0, "main time in seconds")?;
        let extra = seconds(words, 1, "byo yomi time in seconds")?;
        let stones = word(words, 2, "byo yomi stones")?;
        let stones = stones.parse().map_err(|_| format!("syntax error: {stones:?} is not a number of stones"))?;
        self.clocks.set(main, extra, stones);
        Ok(String::new())
    }

    fn set_time_left(&mut self, words: &[String]) -> Answer {
        let side = side(words)?;
        // A negative time means that the clock has run out.
        let time = number(words, 1, "time in seconds")?;
        let stones = words.get(2).map_or("0", String::as_str);
        let stones = stones.parse().map_err(|_| format!("syntax error: {stones:?} is not a number of stones"))?;
        self.clocks.set_left(side, time, stones);
        Ok(String::new())
    }

    fn final_score(&mut self) -> Answer {
        let margin = self.table.session().result().ok_or("cannot score: the game is not over")?;
        let points = margin.0.unsigned_abs();
        Ok(match margin.winner() {
            Some(Side::First) => format!("B+{points}"),
            Some(Side::Second) => format!("W+{points}"),
            None => "0".to_owned(),
        })
    }

    /// The score as text; empty while the game is not over.
    fn final_result(&mut self) -> String {
        self.final_score().unwrap_or_default()
    }

    fn legal_moves(&self) -> String {
        self.table.session().legal_moves().iter().map(|mv| vertex(mv)).collect::<Vec<_>>().join(" ")
    }

    /// The squares row by row from the top: `X` black, `O` white.
    fn rows(&self) -> Vec<String> {
        let picture = self.table.session().picture().expect("a board of Reversi can be drawn");
        let sign = |owner: Option<Side>| owner.map_or('.', |side| ['X', 'O'][side.index()]);
        let row =
            |cells: &[banyan_core::Cell]| cells.iter().map(|cell| sign(cell.owner).to_string()).collect::<Vec<_>>();
        picture.cells.chunks(picture.columns).map(|cells| row(cells).join(" ")).collect()
    }

    /// The board as text with coordinates, after an empty first line.
    fn board(&self) -> String {
        let letters: Vec<String> = (0..self.table.size().1).map(|i| column_letter(i).to_string()).collect();
        let mut lines = vec![String::new(), format!("   {}", letters.join(" "))];
        lines.extend(self.rows().iter().enumerate().map(|(i, row)| format!("{:>2} {row}", i + 1)));
        let session = self.table.session();
        let turn =
            session.result().map_or_else(|| format!("{} to move", Color(session.to_move())), |_| "game over".into());
        lines.push(turn);
        lines.join("\n")
    }

    fn plain_board(&self) -> String {
        self.rows().join("\n")
    }
}

/// The vertex of a move.
fn vertex(mv: &str) -> String {
    Vertex::of_move(mv).expect("boards have 10 rows at most").to_string()
}

fn word<'a>(words: &'a [String], i: usize, what: &str) -> Result<&'a str, String> {
    words.get(i).map(String::as_str).ok_or_else(|| format!("syntax error: {what} is missing"))
}

fn side(words: &[String]) -> Result<Side, String> {
    let text = word(words, 0, "a color")?;
    let color = Color::parse(text).ok_or_else(|| format!("syntax error: color {text:?} is neither black nor white"))?;
    Ok(color.0)
}

/// A number of at least 0.
fn seconds(words: &[String], i: usize, what: &str) -> Result<f64, String> {
    let seconds = number(words, i, what)?;
    if seconds < 0.0 { Err(format!("syntax error: {what} must be at least 0, not {seconds}")) } else { Ok(seconds) }
}

fn number(words: &[String], i: usize, what: &str) -> Result<f64, String> {
    let text = word(words, i, what)?;
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| format!("syntax error: {what} must be a number, not {text:?}"))
}
