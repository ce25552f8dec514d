//! `banyan show`: draws a position, or a recorded game move by move.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use banyan_catalog::view::{VERSION, json_line};
use banyan_catalog::{Catalog, Session, svg};
use banyan_core::Side;
use clap::Args;
use serde::Serialize;

use crate::args::Place;
use crate::replay::{self, GameId, Recorded};
use crate::terminal::Terminal;
use crate::{Exit, board};

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Game, such as connect-four:10x11,hole=d3 (see `banyan games`).
    #[arg(required_unless_present = "record", conflicts_with = "record")]
    game: Option<String>,

    #[command(flatten)]
    place: Place,

    /// Show a recorded game: a match folder, its games.jsonl, or a file written by `save`.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["moves", "position"])]
    record: Option<PathBuf>,

    /// Game of a match, as pair and 0 or 1, such as 12.1 [default: the first].
    #[arg(long = "game", id = "id", value_name = "PAIR.GAME", requires = "record")]
    id: Option<GameId>,

    /// Draw every position of the game.
    #[arg(long)]
    all: bool,

    /// Also write the board to this file as SVG; with -, write only the SVG, to stdout.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Print one JSON object (docs/json.md).
    #[arg(long, conflicts_with = "all")]
    json: bool,
}

/// A position as `--json` prints it.
#[derive(Serialize)]
struct ShownPosition {
    v: u32,
    game: String,
    position: String,
    sides: [&'static str; 2],
    to_move: &'static str,
    history: Vec<String>,
    moves: Vec<String>,
    result: Option<i16>,
}

impl ShownPosition {
    fn of(session: &dyn Session) -> ShownPosition {
        let result = session.result().map(|margin| margin.0);
        ShownPosition {
            v: VERSION,
            game: session.spec(),
            position: session.position(),
            sides: Side::BOTH.map(|side| session.side_name(side)),
            to_move: ["first", "second"][session.to_move().index()],
            history: session.history(),
            moves: if result.is_some() { Vec::new() } else { session.legal_moves() },
            result,
        }
    }
}

impl ShowArgs {
    fn open(&self, catalog: &Catalog) -> Result<Recorded> {
        match (&self.record, &self.game) {
            (Some(path), _) => replay::open(catalog, path, self.id),
            (None, game) => {
                let game = game.as_deref().expect("clap requires a game without --record");
                Ok(Recorded { session: self.place.open(catalog, game)?, about: Vec::new() })
            }
        }
    }
}

pub(crate) fn run(args: &ShowArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let Recorded { mut session, about } = args.open(catalog)?;
    if let Some(path) = &args.svg {
        let picture = session.picture().with_context(|| format!("{} has no board to draw", session.spec()))?;
        let drawing = svg(&picture, &format!("{}: {}", session.spec(), session.position()));
        if path.as_os_str() == "-" {
            write!(terminal.out, "{drawing}")?;
            return Ok(Exit::Done);
        }
        fs::write(path, drawing).map_err(|err| anyhow!("cannot write {}: {err}; try another name", path.display()))?;
    }
    if args.json {
        writeln!(terminal.out, "{}", json_line(&ShownPosition::of(&*session)))?;
        return Ok(Exit::Done);
    }
    if args.all {
        show_earlier(&mut *session, terminal)?;
    }
    write!(terminal.out, "{}", board::paint_session(&*session, terminal.ascii))?;
    writeln!(terminal.out, "game      {}", session.spec())?;
    for (name, text) in about {
        writeln!(terminal.out, "{name:<9} {text}")?;
    }
    writeln!(terminal.out, "position  {}", session.position())?;
    match session.result() {
        Some(_) => writeln!(terminal.out, "result    {}", board::outcome(catalog, &*session))?,
        None => {
            writeln!(terminal.out, "to move   {}", session.side_name(session.to_move()))?;
            writeln!(terminal.out, "moves     {}", session.legal_moves().join(" "))?;
        }
    }
    Ok(Exit::Done)
}

/// Draws every position before the last, and names the move that follows.
fn show_earlier(session: &mut dyn Session, terminal: &mut Terminal) -> Result<()> {
    let moves = session.history();
    while session.undo().is_some() {}
    for (i, mv) in moves.iter().enumerate() {
        write!(terminal.out, "{}", board::paint_session(session, terminal.ascii))?;
        writeln!(terminal.out, "move {}: {} plays {mv}\n", i + 1, session.side_name(session.to_move()))?;
        session.play(mv)?;
    }
    Ok(())
}
