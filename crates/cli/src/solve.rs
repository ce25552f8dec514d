//! `banyan solve`: the exact value of a position and all its best moves.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use banyan_catalog::view::{Analysis, Proof, Solved, json_line};
use banyan_catalog::{AnalysisObserver, Budget, Catalog, Goal, Means, Session};
use banyan_core::{Flow, Margin, TextError};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;

use crate::args::{At, check_threads};
use crate::interrupt::Interrupt;
use crate::search_progress::live_line;
use crate::table::Table;
use crate::terminal::Terminal;
use crate::{Exit, board, game_words, solve_file};

/// Moves listed in the table, unless more are best; `--json` has all of them.
const LISTED: usize = 16;

/// The largest table, as for players.
pub(crate) const LARGEST_TABLE: u32 = 65_536;

const EXAMPLES: &str = "\
Examples:
  banyan solve connect-four --moves \"4 4 4 4 4 4 2 2 3 5\" --threads 2
  banyan solve reversi --file endgames.obf --prove value
  banyan solve reversi --file positions.obf --out scored.obf

A line of OBF is a board of Reversi, the side to move, and exact scores of its
moves for that side, if known: \"--X...O- X; A2:+38; C7:+36;\". The same command
with --out resumes after an interruption.";

/// What `--prove` may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Prove {
    /// Win, draw or loss.
    Winner,
    /// The value, and one move that reaches it.
    Value,
    /// The value, and all moves that reach it.
    Best,
    /// The value of every move.
    All,
}

impl From<Prove> for Goal {
    fn from(prove: Prove) -> Goal {
        match prove {
            Prove::Winner => Goal::Winner,
            Prove::Value => Goal::Value,
            Prove::Best => Goal::BestMoves,
            Prove::All => Goal::Everything,
        }
    }
}

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) at: At,

    /// Solve every position of this file instead, and compare with its scores (Reversi: OBF). Exits with 1 if one is not
    /// solved, or not as the file says.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "position"])]
    file: Option<PathBuf>,

    /// What to prove [default: all, with --file best].
    #[arg(long, value_enum, value_name = "WHAT")]
    prove: Option<Prove>,

    /// Also write the positions of --file to this file, with the scores of all moves. A position that is not solved is written
    /// without scores.
    #[arg(long, value_name = "FILE", requires = "file")]
    pub(crate) out: Option<PathBuf>,

    /// Search limit: a time (60s, 5m), nodes=N, or both joined by +; of each position with --file. At the limit, the proven
    /// bounds are printed.
    #[arg(long, default_value = "60s")]
    pub(crate) budget: Budget,

    /// Maximum size of the transposition table in MiB.
    #[arg(long, default_value_t = 1024, value_name = "MIB", allow_negative_numbers = true)]
    table: u32,

    /// Search threads. With more than one, the number of nodes varies between runs.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    threads: u32,

    /// Print one JSON object; with --file one for each position, and one for their sum.
    #[arg(long)]
    pub(crate) json: bool,
}

impl SolveArgs {
    /// What is to be proven of each position.
    pub(crate) fn goal(&self) -> Goal {
        let usual = if self.file.is_some() && self.out.is_none() { Prove::Best } else { Prove::All };
        self.prove.unwrap_or(usual).into()
    }

    pub(crate) fn means(&self) -> Means {
        Means { table_mib: self.table, threads: self.threads }
    }

    fn check(&self) -> Result<()> {
        let Budget { time, nodes, .. } = self.budget;
        if self.budget != (Budget { time, nodes, ..Budget::default() }) {
            let found = format!("--budget {}", self.budget);
            bail!(TextError::new(found, "expected a time, a number of nodes, or both", "try 60s or nodes=1e9"));
        }
        if !(1..=LARGEST_TABLE).contains(&self.table) {
            let expected = format!("expected 1 .. {LARGEST_TABLE} MiB");
            bail!(TextError::new(format!("--table {}", self.table), expected, "try --table 1024"));
        }
        if self.out.is_some() && self.goal() != Goal::Everything {
            let expected = "--out writes the scores of all moves";
            bail!(TextError::new("--prove with --out", expected, "leave out one of them"));
        }
        check_threads(self.threads)?;
        Ok(())
    }
}

/// Exits with 0 if everything asked for is proven; with 1 if the budget ended the search before, or if the game is over.
pub(crate) fn run(args: &SolveArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    args.check()?;
    if let Some(file) = &args.file {
        return solve_file::run(args, file, catalog, terminal);
    }
    let session = args.at.open(catalog)?;
    if !args.json {
        write!(terminal.out, "{}", board::paint_session(&*session, terminal.ascii))?;
    }
    let interrupt = Interrupt::install()?;
    let (goal, limits) = (args.goal(), args.budget.first_limits());
    let solved = session.prove(goal, args.means(), &limits, &mut SolveProgress::new(&interrupt, ""));
    let is_over = session.result().is_some();
    if args.json {
        writeln!(terminal.out, "{}", json_line(&solved))?;
    } else if is_over {
        writeln!(terminal.out, "{}", board::outcome(catalog, &*session))?;
    } else {
        write!(terminal.out, "{}", listing(catalog, &*session, &solved, terminal.width))?;
    }
    if solved.reaches(goal) {
        return Ok(if is_over { Exit::No } else { Exit::Done });
    }
    writeln!(terminal.err, "{}", what_is_missing(&*session, &solved, &args.budget, interrupt.pressed()))?;
    Ok(if interrupt.pressed() { Exit::Interrupted } else { Exit::No })
}

fn listing(catalog: &Catalog, session: &dyn Session, solved: &Solved, width: usize) -> String {
    let mut lines = Table::new(1, &["move", "value", ""]);
    let n_listed = LISTED.max(solved.best.len());
    for mv in solved.moves.iter().take(n_listed) {
        let mark = if solved.best.contains(&mv.mv) { "best" } else { "" };
        lines.add_row([mv.mv.as_str(), &mv.proof().in_words(), mark]);
    }
    let mut text = lines.text(width);
    if let Some(rest) = solved.moves.get(n_listed..).filter(|rest| !rest.is_empty()) {
        text += &format!("and {} more; --json has all\n", rest.len());
    }
    text + &value(catalog, session, solved) + &done(solved)
}

/// `value: win +3 for X (X wins by 3 discs)`, or the proven bounds.
fn value(catalog: &Catalog, session: &dyn Session, solved: &Solved) -> String {
    let side = session.to_move();
    let (words, name) = (solved.proof().in_words(), session.side_name(side));
    match solved.margin {
        Some(0) => "value: draw\n".to_owned(),
        Some(margin) => {
            let result = board::result(catalog, session, Margin::won_by(side, margin));
            format!("value: {words} for {name} ({result}{})\n", game_words::point_note(catalog, &session.spec()))
        }
        None if solved.reaches(Goal::Winner) => format!("value: {words} for {name}\n"),
        None => format!("value: {words} for {name} (not solved)\n"),
    }
}

fn done(solved: &Solved) -> String {
    let mib = solved.memory_bytes.div_ceil(1 << 20);
    format!("done: {}, {mib} MiB\n", work(solved.nodes, solved.elapsed_ms))
}

/// `1000 nodes in 0.01 s, 0.1 M nodes/s`
pub(crate) fn work(nodes: u64, elapsed_ms: f64) -> String {
    let seconds = elapsed_ms / 1000.0;
    let rate = nodes as f64 / seconds.max(1e-6) / 1e6;
    format!("{nodes} nodes in {seconds:.2} s, {rate:.1} M nodes/s")
}

/// Why the result is incomplete, and what to do.
fn what_is_missing(session: &dyn Session, solved: &Solved, budget: &Budget, interrupted: bool) -> String {
    let when = if interrupted { "before the interrupt".to_owned() } else { format!("within {budget}") };
    if solved.knows_best_moves() {
        return format!("value and best moves proven, but other moves have only bounds {when}; raise --budget");
    }
    if solved.margin.is_some() {
        return format!("value proven, but not all moves solved {when}: more moves may be best; raise --budget");
    }
    let (words, name) = (solved.proof().in_words(), session.side_name(session.to_move()));
    format!("not solved {when}: proven for {name}: {words}; raise --budget")
}

/// Shows the bounds proven so far on a terminal, and stops on Ctrl-C.
pub(crate) struct SolveProgress<'a> {
    line: ProgressBar,
    interrupt: &'a Interrupt,
    /// What is solved, before the rest of the line.
    what: &'a str,
}

impl<'a> SolveProgress<'a> {
    pub(crate) fn new(interrupt: &'a Interrupt, what: &'a str) -> SolveProgress<'a> {
        SolveProgress { line: live_line(), interrupt, what }
    }
}

impl Drop for SolveProgress<'_> {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

impl AnalysisObserver for SolveProgress<'_> {
    fn stopped(&mut self) -> bool {
        self.interrupt.pressed()
    }

    fn progress(&mut self, analysis: &Analysis) -> Flow {
        let proof = analysis.proof.as_ref().map_or("nothing".to_owned(), Proof::in_words);
        self.line.set_message(format!(
            "{}{:.1} M nodes, proven so far: {proof}",
            self.what,
            analysis.nodes as f64 / 1e6
        ));
        Flow::Continue
    }
}
