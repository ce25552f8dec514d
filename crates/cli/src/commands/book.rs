//! `banyan book`: builds an opening book by searches, and shows its contents.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use banyan_catalog::book::{Book, BookMoveView, BookView};
use banyan_catalog::view::json_line;
use banyan_catalog::{Budget, Catalog};
use banyan_training::book::{BookFile, BookLimits, BookObserver, grow_book, new_plan, open_book};
use clap::{Args, Subcommand};
use indicatif::ProgressBar;

use crate::Exit;
use crate::input::args::check_threads;
use crate::input::level::LevelArg;
use crate::interrupt::{self, Interrupt};
use crate::output::board;
use crate::output::search_progress::{live_line, principal_variation, signed};
use crate::output::table::Table;
use crate::output::terminal::Terminal;

const EXAMPLES: &str = "\
Examples:
  banyan book make dots-and-boxes --out dots.book --budget nodes=1e6
  banyan book show dots.book --moves \"h2,2 v1,3\"
  banyan play dots-and-boxes --second best:book=dots.book";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Search the main lines of a game, and the replies that lose least.
    ///
    /// The same command continues a book after an interruption, and with more positions or plies.
    #[command(after_help = EXAMPLES)]
    Make(MakeArgs),
    /// Print the main line from a position, and the moves of the book. Exits with 1 if the position is not in the book.
    #[command(after_help = EXAMPLES)]
    Show(ShowArgs),
}

#[derive(Debug, Args)]
struct MakeArgs {
    /// Game (see `banyan games`).
    game: String,

    /// File of the book: a new one, or one to continue.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Player that searches the positions (see `banyan players`).
    #[arg(long, default_value = banyan_catalog::DEFAULT_PLAYER, value_name = "PLAYER")]
    player: String,

    #[command(flatten)]
    level: LevelArg,

    /// Its search limit for a position: nodes=N, playouts=N or depth=N.
    #[arg(long, default_value = "nodes=100000", value_name = "LIMIT")]
    budget: Budget,

    /// Length of the lines, the main line first.
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    plies: u32,

    /// Positions, after which only the main line is completed.
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: u64,

    /// Random seed. The same seed gives the same book.
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,

    /// Threads that search, each a position of its own.
    #[arg(long, default_value_t = 1, value_name = "T", allow_negative_numbers = true)]
    threads: u32,
}

#[derive(Debug, Args)]
struct ShowArgs {
    /// File of the book.
    file: PathBuf,

    /// Moves from the starting position, such as "4 4 3".
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    moves: Option<String>,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &BookArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    match &args.what {
        What::Make(args) => make(args, catalog, terminal),
        What::Show(args) => show(args, catalog, terminal),
    }
}

/// Exits with 130 if interrupted.
fn make(args: &MakeArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    check_threads(args.threads)?;
    let game = catalog.game(&args.game)?;
    let plan = new_plan(&game, args.level.or(&args.player), args.budget, args.seed)?;
    let mut file = BookFile::open(&args.out, plan, &game)?;
    let limits = BookLimits { plies: args.plies, positions: args.positions as usize, threads: args.threads };
    let interrupt = Interrupt::install();
    interrupt::set_resume("the same command resumes");
    let progress = Progress { line: live_line(), interrupt: &interrupt, of: args.positions };
    progress.show(file.book());
    let is_grown = grow_book(&mut file, &game, limits, &progress)?;
    drop(progress);
    let (n, plies) = (file.book().n_positions(), file.book().main_line_plies());
    let text = format!("{n} positions, main line of {plies} plies");
    if is_grown {
        writeln!(terminal.out, "{text}, in {}", args.out.display())?;
        return Ok(Exit::Done);
    }
    writeln!(terminal.err, "interrupted after {text}; the same command continues")?;
    Ok(Exit::Interrupted)
}

/// A live line, which stops on Ctrl-C.
struct Progress<'a> {
    line: ProgressBar,
    interrupt: &'a Interrupt,
    of: u64,
}

impl Progress<'_> {
    fn show(&self, book: &Book) {
        let (n, plies) = (book.n_positions(), book.main_line_plies());
        self.line.set_message(format!("{n} of {} positions, main line of {plies} plies", self.of));
        self.line.tick();
    }
}

impl BookObserver for Progress<'_> {
    fn stopped(&self) -> bool {
        self.interrupt.pressed()
    }

    fn added(&self, book: &Book) {
        self.show(book);
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

/// Exits with 1 if the position is not in the book.
fn show(args: &ShowArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let (book, mut session) = open_book(&args.file, catalog)?;
    session.play_all(args.moves.as_deref().unwrap_or_default())?;
    let Some(view) = book.view(&session) else {
        writeln!(terminal.err, "the position is not in the book")?;
        return Ok(Exit::No);
    };
    if args.json {
        writeln!(terminal.out, "{}", json_line(&view))?;
        return Ok(Exit::Done);
    }
    write!(terminal.out, "{}", board::paint_session(&session, terminal.ascii))?;
    write!(terminal.out, "{}", listing(&view, terminal.width))?;
    Ok(Exit::Done)
}

fn listing(view: &BookView, width: usize) -> String {
    let heads = ["move", ">positions", ">win %", ">margin", "main line"];
    let has_margins = view.moves.iter().any(|mv| mv.margin.is_some());
    let wanted = |column: &usize| *column != 3 || has_margins;
    let columns: Vec<usize> = (0..heads.len()).filter(wanted).collect();
    let mut lines = Table::new(1, &columns.iter().map(|&column| heads[column]).collect::<Vec<_>>());
    for mv in &view.moves {
        let row = row(mv);
        lines.add_row(columns.iter().map(|&column| row[column].clone()));
    }
    let BookView { player, budget, seed, positions, positions_below, pv, .. } = view;
    let moves = if view.moves.is_empty() { String::new() } else { lines.text(width) };
    let line = if pv.is_empty() { "none, the game is over".to_owned() } else { pv.join(" ") };
    let margin = view.margin.map_or(String::new(), |margin| format!(", margin {}", signed(margin, 2)));
    format!(
        "{moves}main line: {line}\n{:.2} % to win{margin}, {positions_below} positions below\n\
         book of {positions} positions by {player} with {budget}, seed {seed}\n",
        view.win_percent()
    )
}

fn row(mv: &BookMoveView) -> [String; 5] {
    let margin = mv.margin.map_or(String::new(), |margin| signed(margin, 2));
    let win = format!("{:.2}", mv.win_percent());
    [mv.mv.clone(), mv.positions.to_string(), win, margin, principal_variation(&mv.pv)]
}
