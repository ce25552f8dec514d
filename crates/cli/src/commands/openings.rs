//! `banyan openings`: generates and checks openings for matches.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use banyan_catalog::pairs::OpeningLines;
use banyan_catalog::storage::{Draft, read_text, read_text_from};
use banyan_catalog::view::{VERSION, json_line};
use banyan_catalog::{AnyGame, Budget, Catalog, JudgeKind, NoOpening, Opening, OpeningJudge, OpeningMaker};
use banyan_core::{Fault, TextError};
use clap::{Args, FromArgMatches, Subcommand};
use serde::Serialize;

use crate::Exit;
use crate::interrupt::{self, Interrupt};
use crate::output::search_progress::live_line;
use crate::output::table::Table;
use crate::output::terminal::Terminal;
use crate::program::program;

/// Amount by which `check` raises the threshold, to at most 1. Another version of Banyan, a judge with several threads
/// or one with a time budget may value an opening of `make` differently; between two evaluations of 1000 playouts the
/// difference is about 0.03.
const TOLERANCE: f64 = 0.1;
const DEFAULT_SEED: u64 = 1;
/// The words after the name of the program in the command that a file of openings records.
const MAKE: &str = " openings make ";

const EXAMPLES: &str = "\
Examples:
  banyan openings make connect-four:10x11,hole=d3 --count 200 --out openings.txt
  banyan openings names reversi
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
    /// List the openings that have names, and their moves.
    Names(NamesArgs),
    /// Check that openings are legal, balanced and different under symmetry. Exits with 1 if one is not.
    #[command(after_help = EXAMPLES)]
    Check(CheckArgs),
}

#[derive(Debug, Args)]
pub(crate) struct MakeArgs {
    /// Game (see `banyan games`).
    game: String,

    /// Number of openings.
    #[arg(long, default_value_t = 100, value_name = "N")]
    count: u64,

    /// Plies per opening [default: 6, Reversi 8]. If a game has too few openings of this length, longer ones follow.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=200))]
    plies: Option<u16>,

    /// Random seed. The same seed gives the same openings.
    #[arg(long, default_value_t = DEFAULT_SEED, value_name = "S")]
    seed: u64,

    #[command(flatten)]
    judge: JudgeArgs,

    /// Write to this file instead of stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct NamesArgs {
    /// Game (see `banyan games`), or the name of an opening.
    game: String,

    /// Print one JSON object per opening (docs/json.md).
    #[arg(long)]
    json: bool,
}

/// A named opening as listed by `--json`.
#[derive(Serialize)]
struct NamedView {
    v: u32,
    game: String,
    names: &'static [&'static str],
    moves: Vec<String>,
    position: String,
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

#[derive(Debug, Default, Args)]
struct JudgeArgs {
    /// Largest absolute value of a balanced opening, where 1 is a certain win [default: 0.2, a win rate of 40 to 60 %;
    /// check: 0.1 more than the file was made with].
    #[arg(long, value_name = "T")]
    threshold: Option<f64>,

    /// Player that evaluates the openings (see `banyan players`), or `playouts`, the mean of random playouts [default:
    /// uct:forced=expansion, or playouts with more than 80 first moves; check: the one of make].
    #[arg(long, value_name = "PLAYER")]
    judge: Option<JudgeKind>,

    /// Budget of the judge per opening [default: playouts=1000, for playouts 400; check: the one of make].
    #[arg(long, value_name = "B")]
    judge_budget: Option<Budget>,
}

impl JudgeArgs {
    fn judge(&self, game: &AnyGame) -> Result<OpeningJudge, TextError> {
        let judge = OpeningJudge::new(self.judge.clone().unwrap_or_else(|| game.usual_judge()), self.judge_budget)?;
        let threshold = self.threshold.unwrap_or(OpeningJudge::THRESHOLD);
        if !(0.0..=1.0).contains(&threshold) {
            return Err(TextError::new(format!("threshold {threshold}"), "expected 0 .. 1", "try 0.2"));
        }
        Ok(OpeningJudge { threshold, ..judge })
    }

    /// These options, with missing ones taken from `others`. A given judge does not get the budget of another.
    fn or(&self, others: JudgeArgs) -> JudgeArgs {
        let tolerant = others.threshold.unwrap_or(OpeningJudge::THRESHOLD) + TOLERANCE;
        JudgeArgs {
            threshold: self.threshold.or(Some(tolerant.min(1.0))),
            judge_budget: self.judge_budget.or(others.judge_budget.filter(|_| self.judge.is_none())),
            judge: self.judge.clone().or(others.judge),
        }
    }
}

impl OpeningsArgs {
    /// Whether the command has no other purpose than its output.
    pub(crate) fn only_prints(&self) -> bool {
        matches!(&self.what, What::Names(_) | What::Make(MakeArgs { out: None, .. }))
    }
}

pub(crate) fn run(args: &OpeningsArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    match &args.what {
        What::Make(args) => make(args, catalog, terminal),
        What::Check(args) => check(args, catalog, terminal),
        What::Names(args) => names(args, catalog, terminal),
    }
}

fn names(args: &NamesArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let family = catalog.family_of_opening(&args.game).filter(|_| catalog.tables(&args.game).is_none());
    let game = catalog.game(family.map_or(&args.game, |family| family.name))?;
    let named = family.map(|_| game.opening_names().find(&args.game)).transpose()?;
    let openings = named.map_or(game.opening_names().all(), std::slice::from_ref);
    if openings.is_empty() {
        let named = catalog.families().iter().filter(|family| !family.tables.openings.is_empty());
        let named: Vec<&str> = named.map(|family| family.name).collect();
        let expected = "expected a board whose openings have names, which those of this one have not";
        let remedy = if named.is_empty() { "use --moves".to_owned() } else { format!("try {}", named.join(" or ")) };
        return Err(TextError::new(game.spec(), expected, remedy).into());
    }
    if args.json {
        for opening in openings {
            let line = game.begin(Opening::Moves(opening.moves))?;
            let (names, moves, position) = (opening.names, line.history(), line.position());
            writeln!(
                terminal.out,
                "{}",
                json_line(&NamedView { v: VERSION, game: line.spec(), names, moves, position })
            )?;
        }
        return Ok(Exit::Done);
    }
    let mut table = Table::new(1, &["name", "moves"]);
    for opening in openings {
        table.add_row([opening.names.join(", "), opening.moves.to_owned()]);
    }
    write!(terminal.out, "{}", table.text(terminal.width))?;
    Ok(Exit::Done)
}

fn make(args: &MakeArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let game = catalog.game(&args.game)?;
    let judge = args.judge.judge(&game)?;
    let plies = args.plies.unwrap_or_else(|| game.usual_opening_plies());
    let interrupt = Interrupt::install();
    let header = header(&game, args, plies, &judge);
    let maker = game.opening_maker(plies, args.seed, &judge)?;
    let (made, end) = match &args.out {
        None => write(&mut terminal.out, &header, args.count, maker, &interrupt)?,
        Some(path) => {
            let write = || {
                let mut draft = Draft::create(path)?;
                interrupt::set_resume("nothing is written; the same command begins again");
                let made = write(&mut draft, &header, args.count, maker, &interrupt)?;
                draft.commit().map(|()| made)
            };
            write().with_context(|| format!("cannot write {}", path.display()))?
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
fn header(game: &AnyGame, args: &MakeArgs, plies: u16, judge: &OpeningJudge) -> String {
    let OpeningJudge { kind, budget, threshold } = judge;
    format!(
        "# {}{MAKE}{} --count {} --plies {plies} --seed {} --threshold {threshold} --judge {kind} \
         --judge-budget {budget}\n# one opening per line: moves from the starting position\n",
        program(),
        game.spec(),
        args.count,
        args.seed
    )
}

/// The options of the command recorded in a file, if there is one.
pub(crate) fn recorded(text: &str) -> Result<Option<MakeArgs>, TextError> {
    let mut comments = text.lines().enumerate().filter(|(_, line)| line.starts_with("# "));
    let found = comments.find_map(|(idx, line)| Some((idx + 1, line.split_once(MAKE)?.1)));
    let Some((number, command)) = found else { return Ok(None) };
    let command_line = MakeArgs::augment_args(clap::Command::new("make").no_binary_name(true));
    let read = command_line.try_get_matches_from(command.split_whitespace());
    let read = read.and_then(|matches| MakeArgs::from_arg_matches(&matches));
    read.map(Some).map_err(|_| {
        let expected = "expected the command that made the openings";
        TextError::new(
            format!("line {number}: {:?}", MAKE.trim_start().to_owned() + command),
            expected,
            "remove the line",
        )
    })
}

/// Writes openings as they are generated, and a last line with their number. Returns the number, and the reason why
/// generation ended early.
fn write(
    out: &mut dyn Write,
    header: &str,
    count: u64,
    mut maker: OpeningMaker,
    interrupt: &Interrupt,
) -> io::Result<(u64, Option<NoOpening>)> {
    let (progress, tried) = (live_line(), AtomicU64::new(0));
    progress.enable_steady_tick(Duration::from_millis(200));
    write!(out, "{header}")?;
    let (mut text, mut made, mut end) = (String::new(), 0, None);
    while made < count && end.is_none() {
        let stop = || {
            let tried = tried.fetch_add(1, Ordering::Relaxed);
            progress.set_message(format!("{made} of {count} openings, {tried} positions evaluated"));
            interrupt.pressed()
        };
        let opening = if interrupt.pressed() { Err(NoOpening::Stopped(Fault::Resigned)) } else { maker.next(&stop) };
        match opening {
            Ok(opening) => {
                let line = opening.line() + "\n";
                progress.suspend(|| out.write_all(line.as_bytes()))?;
                text += &line;
                made += 1;
            }
            Err(why) => end = Some(why),
        }
    }
    progress.finish_and_clear();
    if let Ok(openings) = OpeningLines::read(&text) {
        writeln!(out, "{}", openings.end())?;
    }
    out.flush()?;
    Ok((made, end))
}

fn check(args: &CheckArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let game = catalog.game(&args.game)?;
    let text = if args.file.as_os_str() == "-" { read_text_from(io::stdin()) } else { read_text(&args.file) };
    let text = text.with_context(|| format!("cannot read {}", args.file.display()))?;
    let in_file = |err: TextError| err.at(args.file.display());
    let openings = OpeningLines::read(&text).map_err(in_file)?;
    let made_by = recorded(&text).map_err(in_file)?;
    // With the seed of `make`, the openings get the same values again.
    let seed = made_by.as_ref().map_or(DEFAULT_SEED, |make| make.seed);
    let judge = args.judge.or(made_by.map(|make| make.judge).unwrap_or_default()).judge(&game)?;
    let interrupt = Interrupt::install();
    let (progress, judged) = (live_line(), AtomicU64::new(0));
    progress.enable_steady_tick(Duration::from_millis(200));
    let n = openings.lines.len();
    let mut checker = game.opening_maker(game.usual_opening_plies(), seed, &judge)?;
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
