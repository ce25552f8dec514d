//! `banyan openings`: generates and checks openings for matches.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use banyan_catalog::matches::OpeningLines;
use banyan_catalog::{AnyGame, Budget, Catalog, NoOpening, OpeningJudge, OpeningMaker, PlayerSpec};
use banyan_core::{Fault, TextError};
use clap::{Args, Subcommand};

use crate::Exit;
use crate::interrupt::Interrupt;
use crate::program::program;
use crate::search_progress::live_line;
use crate::terminal::Terminal;

/// Between two evaluations of 1000 playouts the value of an opening differs by about 0.03, so an opening made at the
/// default threshold passes this one.
const CHECKED_THRESHOLD: f64 = 0.3;

const EXAMPLES: &str = "\
Examples:
  banyan openings make connect-four:10x11,hole=d3 --count 200 --out openings.txt
  banyan openings check openings.txt connect-four:10x11,hole=d3
  banyan match connect-four:10x11,hole=d3 uct mcgs --openings file:openings.txt";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct OpeningsArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Generate balanced openings of random moves, all different under symmetry.
    #[command(after_help = EXAMPLES)]
    Make(MakeArgs),
    /// Check that openings are legal, balanced and different under symmetry. Exits with 1 if one is not.
    #[command(after_help = EXAMPLES)]
    Check(CheckArgs),
}

#[derive(Debug, Args)]
struct MakeArgs {
    /// Game (see `banyan games`).
    game: String,

    /// Number of openings.
    #[arg(long, default_value_t = 100, value_name = "N")]
    count: u64,

    /// Plies per opening [default: 6, Reversi 8]. If a game has too few openings of this length, longer ones follow.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=200))]
    plies: Option<u16>,

    /// Random seed. The same seed gives the same openings.
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,

    #[command(flatten)]
    judge: JudgeArgs,

    /// Write to this file instead of stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// File with one opening per line, or - for stdin. Lines that begin with # are ignored.
    file: PathBuf,

    /// Game (see `banyan games`).
    game: String,

    #[command(flatten)]
    judge: JudgeArgs,
}

#[derive(Debug, Args)]
struct JudgeArgs {
    /// Largest absolute value of a balanced opening, where 1 is a certain win [default: make 0.2, a win rate of 40 to
    /// 60 %; check 0.3, so that openings near the limit of make still pass].
    #[arg(long, value_name = "T")]
    threshold: Option<f64>,

    /// Player that evaluates the openings (see `banyan players`).
    #[arg(long, default_value = "uct:forced=expansion", value_name = "PLAYER")]
    judge: PlayerSpec,

    /// Budget of the judge per opening.
    #[arg(long, default_value = "playouts=1000", value_name = "B")]
    judge_budget: Budget,
}

impl JudgeArgs {
    fn judge(&self, default_threshold: f64) -> Result<OpeningJudge, TextError> {
        self.judge.check(&self.judge_budget)?;
        let threshold = self.threshold.unwrap_or(default_threshold);
        if !(0.0..=1.0).contains(&threshold) {
            return Err(TextError::new(format!("threshold {threshold}"), "expected 0 .. 1", "try 0.2"));
        }
        let limits = self.judge_budget.first_limits();
        Ok(OpeningJudge { player: self.judge.clone(), limits, threshold })
    }
}

pub(crate) fn run(args: &OpeningsArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    match &args.what {
        What::Make(args) => make(args, catalog, terminal),
        What::Check(args) => check(args, catalog, terminal),
    }
}

fn make(args: &MakeArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let game = catalog.game(&args.game)?;
    let judge = args.judge.judge(OpeningJudge::THRESHOLD)?;
    let plies = args.plies.unwrap_or_else(|| game.usual_opening_plies());
    let interrupt = Interrupt::install()?;
    let header = header(&*game, args, plies, judge.threshold);
    let maker = game.opening_maker(plies, args.seed, &judge)?;
    let (made, end) = match &args.out {
        None => write(&mut terminal.out, &header, args.count, maker, &interrupt)?,
        Some(path) => {
            let file = File::create(path).with_context(|| format!("cannot write {}", path.display()))?;
            write(&mut BufWriter::new(file), &header, args.count, maker, &interrupt)
                .with_context(|| format!("cannot write {}", path.display()))?
        }
    };
    match end {
        None => Ok(Exit::Done),
        Some(NoOpening::Exhausted) => {
            writeln!(
                terminal.err,
                "only {made} openings: no other opening is balanced; change --plies or --threshold"
            )?;
            Ok(Exit::No)
        }
        Some(NoOpening::Stopped(_)) if interrupt.pressed() => {
            writeln!(terminal.err, "interrupted after {made} of {} openings; they are written", args.count)?;
            Ok(Exit::Interrupted)
        }
        Some(NoOpening::Stopped(fault)) => Err(fault.into()),
    }
}

/// The command that generates the same openings, as comments.
fn header(game: &dyn AnyGame, args: &MakeArgs, plies: u16, threshold: f64) -> String {
    let JudgeArgs { judge, judge_budget, .. } = &args.judge;
    format!(
        "# {} openings make {} --count {} --plies {plies} --seed {} --threshold {threshold} --judge {judge} \
         --judge-budget {judge_budget}\n# one opening per line: moves from the starting position\n",
        program(),
        game.spec(),
        args.count,
        args.seed
    )
}

/// Writes openings as they are generated. Returns their number, and why generation ended early.
fn write(
    out: &mut dyn Write,
    header: &str,
    count: u64,
    mut maker: Box<dyn OpeningMaker>,
    interrupt: &Interrupt,
) -> io::Result<(u64, Option<NoOpening>)> {
    let (progress, tried) = (live_line(), AtomicU64::new(0));
    progress.enable_steady_tick(Duration::from_millis(200));
    write!(out, "{header}")?;
    for made in 0..count {
        let stop = || {
            let tried = tried.fetch_add(1, Ordering::Relaxed);
            progress.set_message(format!("{made} of {count} openings, {tried} positions evaluated"));
            interrupt.pressed()
        };
        let opening = if interrupt.pressed() { Err(NoOpening::Stopped(Fault::Resigned)) } else { maker.next(&stop) };
        match opening {
            Ok(opening) => progress.suspend(|| writeln!(out, "{}", opening.line()))?,
            Err(end) => {
                progress.finish_and_clear();
                out.flush()?;
                return Ok((made, Some(end)));
            }
        }
    }
    progress.finish_and_clear();
    out.flush()?;
    Ok((count, None))
}

fn check(args: &CheckArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let game = catalog.game(&args.game)?;
    let judge = args.judge.judge(CHECKED_THRESHOLD)?;
    let text =
        if args.file.as_os_str() == "-" { io::read_to_string(io::stdin()) } else { fs::read_to_string(&args.file) };
    let text = text.with_context(|| format!("cannot read {}", args.file.display()))?;
    let openings = OpeningLines::read(&text).map_err(|err| err_in(&args.file, err))?;
    let interrupt = Interrupt::install()?;
    let (progress, judged) = (live_line(), AtomicU64::new(0));
    progress.enable_steady_tick(Duration::from_millis(200));
    let n = openings.lines.len();
    let mut checker = game.opening_maker(game.usual_opening_plies(), 0, &judge)?;
    let flaws = checker.check(&openings.lines, &|| {
        let judged = judged.fetch_add(1, Ordering::Relaxed);
        progress.set_message(format!("{judged} of {n} openings evaluated"));
        interrupt.pressed()
    });
    progress.finish_and_clear();
    let flaws = match flaws {
        Err(_) if interrupt.pressed() => {
            writeln!(terminal.err, "interrupted after {} of {n} openings", judged.into_inner().saturating_sub(1))?;
            return Ok(Exit::Interrupted);
        }
        flaws => flaws?,
    };
    let mut wrong = 0;
    for (line, flaw) in openings.lines.iter().zip(flaws) {
        if let Some(flaw) = flaw {
            wrong += 1;
            writeln!(terminal.out, "line {}: {}: {flaw}", line.number, line.moves)?;
        }
    }
    let verdict = if wrong == 0 { "all valid".to_owned() } else { format!("{wrong} invalid") };
    writeln!(terminal.out, "{n} openings, {verdict}")?;
    Ok(if wrong == 0 { Exit::Done } else { Exit::No })
}

fn err_in(path: &std::path::Path, err: TextError) -> TextError {
    TextError { found: format!("{}: {}", path.display(), err.found), ..err }
}
