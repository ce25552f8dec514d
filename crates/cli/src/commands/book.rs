//! `banyan book`: builds an opening book by searches or of exact values, and shows its contents.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use banyan_catalog::book::{Book, BookMoveView, BookView, ExactBook, ExactPlan, read_book};
use banyan_catalog::view::{Proof, json_line};
use banyan_catalog::{Budget, Catalog, Means};
use banyan_training::book::{
    BookFile, BookLimits, BookObserver, ExactBookFile, ExactBookObserver, grow_book, new_plan, open_book, open_exact,
};
use clap::{Args, Subcommand, ValueEnum};
use indicatif::ProgressBar;

use crate::Exit;
use crate::commands::solve::LARGEST_TABLE;
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
  banyan book solve connect-four --plies 4 --out exact.book
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
    /// Solve all positions after a number of moves, from which minimax gives the values of those before.
    ///
    /// Symmetric positions are solved once. The same command continues a book after an interruption.
    #[command(after_help = EXAMPLES)]
    Solve(SolveArgs),
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

/// The values of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Values {
    /// Win, draw or loss.
    Winner,
    /// The final margin.
    Margin,
}

#[derive(Debug, Args)]
struct SolveArgs {
    /// Game (see `banyan games`).
    game: String,

    /// File of the book: a new one, or one to continue.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Moves from the start of the game to the positions that are solved.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=30))]
    plies: u32,

    /// Values of the positions.
    #[arg(long, value_enum, default_value = "winner", value_name = "WHAT")]
    values: Values,

    /// Maximum size of the transposition table in MiB.
    #[arg(long, default_value_t = 1024, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=i64::from(LARGEST_TABLE)))]
    table: u32,

    /// Threads, which share the table.
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
        What::Solve(args) => solve(args, catalog, terminal),
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

/// Exits with 130 if interrupted.
fn solve(args: &SolveArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    check_threads(args.threads)?;
    let game = catalog.game(&args.game)?;
    let has_margins = args.values == Values::Margin;
    let mut file =
        ExactBookFile::open(&args.out, ExactPlan { game: game.spec(), plies: args.plies, has_margins }, &game)?;
    let interrupt = Interrupt::install();
    interrupt::set_resume("the same command resumes");
    let progress = Progress { line: live_line(), interrupt: &interrupt, of: file.book().n_positions() as u64 };
    ExactBookObserver::added(&progress, file.book());
    let means = Means { table_mib: args.table, threads: args.threads };
    let is_complete = file.solve(&game, means, &progress)?;
    drop(progress);
    let (solved, of) = (file.book().n_solved(), file.book().n_positions());
    if is_complete {
        writeln!(terminal.out, "{of} positions after {} moves, in {}", args.plies, args.out.display())?;
        return Ok(Exit::Done);
    }
    writeln!(terminal.err, "interrupted after {solved} of {of} positions; the same command continues")?;
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

impl ExactBookObserver for Progress<'_> {
    fn stopped(&self) -> bool {
        self.interrupt.pressed()
    }

    fn added(&self, book: &ExactBook) {
        self.line.set_message(format!("{} of {} positions solved", book.n_solved(), self.of));
        self.line.tick();
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

/// Exits with 1 if the position is not in the book.
fn show(args: &ShowArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    if ExactBook::is_text_of(&read_book(&args.file)?) {
        return show_exact(args, catalog, terminal);
    }
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

/// Exits with 1 if the position is not in the book, or the book is not finished.
fn show_exact(args: &ShowArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let (book, mut session) = open_exact(&args.file, catalog)?;
    session.play_all(args.moves.as_deref().unwrap_or_default())?;
    if !book.is_complete() {
        let (solved, of) = (book.n_solved(), book.n_positions());
        writeln!(terminal.err, "{solved} of {of} positions are solved; `banyan book solve` continues")?;
        return Ok(Exit::No);
    }
    let Some(view) = book.view(&session) else {
        writeln!(terminal.err, "the position is not in the book")?;
        return Ok(Exit::No);
    };
    if args.json {
        writeln!(terminal.out, "{}", json_line(&view))?;
        return Ok(Exit::Done);
    }
    write!(terminal.out, "{}", board::paint_session(&session, terminal.ascii))?;
    let mut lines = Table::new(1, &["move", "value"]);
    for mv in &view.moves {
        lines.add_row([mv.mv.as_str(), &mv.proof().in_words()]);
    }
    let moves = if view.moves.is_empty() { String::new() } else { lines.text(terminal.width) };
    let value = Proof { lower: view.lower, upper: view.upper }.in_words();
    let name = session.side_name(session.to_move());
    writeln!(terminal.out, "{moves}value: {value} for {name}\n{}, {} positions", book.in_words(), view.positions)?;
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
