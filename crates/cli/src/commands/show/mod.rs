//! `banyan show`: draws a position, or a recorded game move by move; prints the result of a folder, or lists its games.

mod folder;

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use banyan_catalog::view::{StructureView, VERSION, json_line, side_word};
use banyan_catalog::{Catalog, NamedOpening, Session, svg, svg_with_structure};
use banyan_core::{Side, Structure, TextError};
use banyan_formats::{Form, Recorded, ccgc, drawing_title};
use clap::Args;
use serde::Serialize;

use crate::Exit;
use crate::commands::game_list::GameListArgs;
use crate::frame::export_help;
use crate::input::replay::{AtOrRecord, GameId};
use crate::output::board;
use crate::output::message::escaped;
use crate::output::output_file;
use crate::output::structure::structure_in_words;
use crate::output::terminal::Terminal;

const EXAMPLES: &str = "\
Examples:
  banyan show reversi --moves \"f5 d6\"
  banyan show runs/first                       the result of a match, ladder ...
  banyan show runs/first --export page.html
  banyan show runs/first --list --of mine --result lost
  banyan show runs/first:12.1 --all            a game of it, move by move

A folder needs neither the players nor the engines of its games.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShowArgs {
    #[command(flatten)]
    at: AtOrRecord,

    /// Draw every position of the game.
    #[arg(long, conflicts_with = "svg")]
    all: bool,

    /// Also write the board to this .svg file; with -, write only the SVG, to stdout.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    // Its help lists the forms, in `command::with_games`.
    #[arg(long = "as", value_name = "FORM", value_parser = Form::to_write, conflicts_with_all = ["all", "structure"])]
    form: Option<&'static Form>,

    /// Also show the structure of the position by the theory of the game, as a list and on the board: in Dots and Boxes
    /// chains, loops, junctions, safe edges, and who is in control; in Connect Four the cells that complete four, and a
    /// strategy if one decides.
    #[arg(long, conflicts_with = "all")]
    structure: bool,

    /// Also write the game to this new file as a CCGC record (Dots and Boxes, 5x5); with -, write only the record, to stdout.
    #[arg(long, value_name = "FILE")]
    ccgc: Option<PathBuf>,

    /// Encode the record of --ccgc in GBK rather than UTF-8.
    #[arg(long, requires = "ccgc")]
    gbk: bool,

    /// Print one JSON object (docs/json.md).
    #[arg(long, conflicts_with = "all")]
    json: bool,

    #[arg(long, value_name = "FILE", help = export_help())]
    export: Vec<String>,

    #[command(flatten)]
    games: GameListArgs,
}

/// A position as printed by `--json`.
#[derive(Serialize)]
struct ShownPosition {
    v: u32,
    game: String,
    position: String,
    sides: [&'static str; 2],
    to_move: &'static str,
    history: Vec<String>,
    moves: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    history_ids: Option<Vec<u16>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_ids: Option<Vec<u16>>,
    result: Option<i16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    players: Option<[String; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    structure: Option<StructureView>,
}

impl ShownPosition {
    fn of(session: &Session, players: Option<[String; 2]>, structure: Option<Structure>) -> ShownPosition {
        let result = session.result().map(|margin| margin.0);
        let listed = session.legal_ids().map(|ids| if result.is_some() { Vec::new() } else { ids });
        // An empty list does not show whether the moves of this game have ids.
        let ids =
            session.history_ids().zip(listed).filter(|(history, moves)| !(history.is_empty() && moves.is_empty()));
        let (history_ids, move_ids) = ids.unzip();
        ShownPosition {
            v: VERSION,
            game: session.spec(),
            position: session.position(),
            sides: Side::BOTH.map(|side| session.side_name(side)),
            to_move: side_word(session.to_move()),
            history: session.history(),
            moves: if result.is_some() { Vec::new() } else { session.legal_moves() },
            history_ids,
            move_ids,
            result,
            opening: session.named_opening().map(NamedOpening::name),
            players,
            structure: structure.map(StructureView::from),
        }
    }
}

/// Whether a file name stands for stdout.
fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl ShowArgs {
    /// The record of which a list or the result is shown, and not a game.
    fn whole_record(&self, catalog: &Catalog) -> Result<Option<(PathBuf, Option<GameId>)>> {
        let named = self.at.named_record(catalog)?;
        if self.games.list || !self.export.is_empty() {
            let named = named.or_else(|| self.at.record().map(|path| (path.to_owned(), None)));
            return Ok(Some(named.ok_or_else(|| {
                let option = if self.games.list { "--list" } else { "--export" };
                TextError::new(option, "expected the folder of a match instead of the game", "name it: banyan show DIR")
            })?));
        }
        Ok(named.filter(|(path, id)| path.is_dir() && id.is_none()))
    }

    /// Checks that no option is given that draws or writes one game.
    fn check_whole(&self, path: &Path, id: Option<GameId>) -> Result<(), TextError> {
        let options = [
            (self.all, "--all"),
            (self.svg.is_some(), "--svg"),
            (self.structure, "--structure"),
            (self.ccgc.is_some(), "--ccgc"),
            (self.at.ply.is_some(), "--ply"),
            (id.is_some(), "--export"),
        ];
        let Some((_, option)) = options.into_iter().find(|(is_given, _)| *is_given) else { return Ok(()) };
        let (expected, remedy) = match option {
            "--export" => ("expected the whole folder of a match, not a game of it", format!("use {}", path.display())),
            _ => (
                "expected a game of the folder",
                format!("try {}:0.0, or another of `banyan show DIR --list`", path.display()),
            ),
        };
        Err(TextError::new(format!("{option} of {}", path.display()), expected, remedy))
    }

    /// Checks that at most one of the outputs that suppress all other output goes to stdout.
    fn check_outputs(&self) -> Result<()> {
        self.svg.as_deref().map_or(Ok(()), |path| output_file::check_extension("--svg", path, "svg"))?;
        let named = |name: &'static str, path: &Option<PathBuf>| path.as_deref().is_some_and(is_stdout).then_some(name);
        let json = self.json.then_some("--json");
        let form = self.form.map(|_| "--as");
        let outputs: Vec<&str> =
            [named("--ccgc -", &self.ccgc), named("--svg -", &self.svg), json, form].into_iter().flatten().collect();
        if let [first, second, ..] = outputs[..] {
            bail!("{first} with {second}: expected one of them on stdout; write a file in place of -");
        }
        Ok(())
    }
}

pub(crate) fn run(args: &ShowArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    args.check_outputs()?;
    if let Some((path, id)) = args.whole_record(catalog)? {
        if args.games.list {
            return args.games.print(catalog, (&path, id), args.json, terminal);
        }
        args.check_whole(&path, id)?;
        return folder::show(catalog, &path, &args.export, args.json, terminal);
    }
    let Recorded { mut session, players, about, heading, .. } = args.at.open(catalog)?;
    let structure = if args.structure { structure_of(&session)? } else { None };
    if let Some(path) = &args.ccgc {
        let heading = heading.unwrap_or_else(|| heading_of(players.clone()));
        let text = ccgc::Record::of(&session, &heading)?.write();
        let bytes = ccgc::encode(&text, if args.gbk { ccgc::Encoding::Gbk } else { ccgc::Encoding::Utf8 })?;
        if is_stdout(path) {
            stdout().write_all(&bytes)?;
            return Ok(Exit::Done);
        }
        output_file::create(path, &bytes).map_err(|err| output_file::cannot_write(path, &err))?;
    }
    if let Some(path) = &args.svg {
        let picture = session.picture().with_context(|| format!("{} has no board to draw", session.spec()))?;
        let title = drawing_title(&session);
        let drawing = match &structure {
            Some(structure) => svg_with_structure(&picture, structure, &title),
            None => svg(&picture, &title),
        };
        if is_stdout(path) {
            write!(terminal.out, "{drawing}")?;
            return Ok(Exit::Done);
        }
        output_file::write(path, drawing)?;
        output_file::note_written(path, terminal)?;
    }
    if let Some(form) = args.form {
        let text = form.write(&session, &heading_of(players).players)?;
        writeln!(terminal.out, "{}", text.trim_end())?;
        return Ok(Exit::Done);
    }
    if args.json {
        writeln!(terminal.out, "{}", json_line(&ShownPosition::of(&session, players, structure)))?;
        return Ok(Exit::Done);
    }
    if args.all {
        show_earlier(&mut session, terminal)?;
    }
    let board = match &structure {
        Some(structure) => board::paint_structure(&session, structure, terminal.ascii),
        None => board::paint_named(&session, terminal.ascii),
    };
    write!(terminal.out, "{board}")?;
    writeln!(terminal.out, "game      {}", session.spec())?;
    let players = players.map(|players| ("players", players.join(" - ")));
    for (name, text) in about.into_iter().chain(players) {
        writeln!(terminal.out, "{name:<9} {}", escaped(&text))?;
    }
    if let Some(opening) = session.named_opening() {
        writeln!(terminal.out, "opening   {}", opening.name())?;
    }
    writeln!(terminal.out, "position  {}", session.position())?;
    match session.result() {
        Some(_) => writeln!(terminal.out, "result    {}", board::outcome(terminal.language, &session))?,
        None => {
            writeln!(terminal.out, "to move   {}", session.side_name(session.to_move()))?;
            writeln!(terminal.out, "moves     {}", session.legal_moves().join(" "))?;
        }
    }
    if let Some(structure) = &structure {
        write!(terminal.out, "\n{}", structure_in_words(structure, terminal.width))?;
    }
    Ok(Exit::Done)
}

/// The structure of the position; `None` if the game is over.
fn structure_of(session: &Session) -> Result<Option<Structure>> {
    let structure = session.structure();
    if structure.is_none() && session.result().is_none() {
        bail!("{} has no structure to show; leave out --structure", session.spec());
    }
    Ok(structure)
}

/// The heading of a record with these players, or with unknown ones.
fn heading_of(players: Option<[String; 2]>) -> ccgc::Heading {
    let players = players.unwrap_or_else(|| ["first", "second"].map(str::to_owned));
    ccgc::Heading { players, ..ccgc::Heading::default() }
}

/// Draws every position before the last, each with the following move.
fn show_earlier(session: &mut Session, terminal: &mut Terminal) -> Result<()> {
    let moves = session.history();
    while session.undo().is_some() {}
    for (i, mv) in moves.iter().enumerate() {
        write!(terminal.out, "{}", board::paint_session(session, terminal.ascii))?;
        writeln!(terminal.out, "move {}: {} plays {mv}\n", i + 1, session.side_name(session.to_move()))?;
        session.play(mv)?;
    }
    Ok(())
}
