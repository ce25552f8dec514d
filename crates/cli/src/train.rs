//! `banyan train`: learns an evaluation or a policy from games that Banyan plays against itself.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use banyan_catalog::Catalog;
use banyan_catalog::training::{
    Epoch, Fitted, MeanErrors, Target, TrainingFolder, TrainingObserver, TrainingPlan, Unit, play_games,
};
use clap::Args;
use indicatif::ProgressBar;

use crate::Exit;
use crate::args::check_threads;
use crate::interrupt::Interrupt;
use crate::search_progress::live_line;
use crate::table::Table;
use crate::terminal::Terminal;

const EXAMPLES: &str = "\
Examples:
  banyan train dots-and-boxes --out dots --games 20000 --threads 2
  banyan train dots-and-boxes:4x4 --out small --games 2000 --proven
  banyan train connect-four node-eval --out node-eval --games 20000
  banyan train connect-four:8-9x8-9 priors --out priors --budget playouts=3000

Dots and Boxes has the evaluations structure and windows. Connect Four has the
evaluation node-eval and the policy priors, fitted to the visits of searches;
both by default on boards of 9 to 12 rows and columns with a hole.

The folder holds train.toml (the plan), games.txt (a line for each game),
curve.csv and curve.svg (the errors after each epoch), weights.bin, and
node_eval.bin or priors.bin as the game embeds it. The same command resumes
after an interruption; with more --games, it plays the rest.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TrainArgs {
    /// The game, dots-and-boxes or connect-four, with its board or a range of boards.
    game: String,

    /// What to learn; the first of the game by default.
    evaluation: Option<String>,

    /// Folder of the training: a new one, or one to resume.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,

    /// Games to play.
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    games: u64,

    /// Player of the moves that are learned from.
    #[arg(long, value_name = "PLAYER")]
    player: Option<String>,

    /// Its search limit: nodes=N, playouts=N or depth=N.
    #[arg(long, value_name = "LIMIT")]
    budget: Option<String>,

    /// Player of the first moves; by default of priors they are drawn by their visits.
    #[arg(long, value_name = "PLAYER")]
    opening: Option<String>,

    /// Number of these moves: every game draws one from this range.
    #[arg(long, value_name = "A..B", value_parser = range)]
    opening_plies: Option<[u16; 2]>,

    /// Draw one in N later moves by its visits; 0 for none.
    #[arg(long, value_name = "N")]
    explore: Option<u32>,

    /// Plies left in the positions that are learned from.
    #[arg(long, value_name = "A..B", value_parser = range)]
    plies_left: Option<[u16; 2]>,

    /// Learn only from positions whose value the player proved.
    #[arg(long)]
    proven: bool,

    /// Epochs: passes over all positions.
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,

    /// Size of the first step of a weight, in points or logits.
    #[arg(long, default_value_t = 0.05, value_name = "STEP")]
    rate: f32,

    /// Random seed.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,

    /// Threads that play.
    #[arg(long, default_value_t = 1, value_name = "N", allow_negative_numbers = true)]
    threads: u32,
}

/// A range such as `36..50`, both ends included.
fn range(text: &str) -> Result<[u16; 2], String> {
    let number = |text: &str| text.parse::<u16>().ok();
    let ends = text.split_once("..").and_then(|(least, most)| Some([number(least)?, number(most)?]));
    ends.ok_or_else(|| "expected two numbers such as 36..50".to_owned())
}

impl TrainArgs {
    fn plan(&self, catalog: &Catalog) -> Result<TrainingPlan> {
        check_threads(self.threads)?;
        let usual = TrainingPlan::usual(catalog, &self.game, self.evaluation.as_deref())?;
        Ok(TrainingPlan {
            opening: self.opening.clone().or(usual.opening),
            opening_plies: self.opening_plies.unwrap_or(usual.opening_plies),
            player: self.player.clone().unwrap_or(usual.player),
            budget: self.budget.clone().unwrap_or(usual.budget),
            explore: self.explore.unwrap_or(usual.explore),
            plies_left: self.plies_left.unwrap_or(usual.plies_left),
            games: self.games,
            seed: self.seed,
            proven: self.proven,
            epochs: self.epochs.unwrap_or(usual.epochs),
            rate: self.rate,
            ..usual
        })
    }
}

/// Exits with 130 if it was interrupted.
pub(crate) fn run(args: &TrainArgs, catalog: &Catalog, terminal: &mut Terminal) -> Result<Exit> {
    let plan = args.plan(catalog)?;
    let mut folder = TrainingFolder::open(&args.out, plan, catalog)?;
    let interrupt = Interrupt::install()?;
    let unit = Unit::of(folder.target(catalog)?);
    let progress = Progress { line: live_line(), unit, interrupt: &interrupt };
    let is_whole = play_games(&mut folder, catalog, args.threads, &progress)?;
    let fitted = if is_whole { folder.fit(catalog, &progress)? } else { None };
    drop(progress);
    let Some(fitted) = fitted else {
        let (n, of) = (folder.n_games(), folder.plan().games);
        writeln!(terminal.err, "interrupted after {n} of {of} games; the same command resumes")?;
        return Ok(Exit::Interrupted);
    };
    write!(terminal.out, "{}", report(&fitted, terminal.width))?;
    let path = |name: &str| folder.file(name).display().to_string();
    let embedded = fitted.embedded.map_or(String::new(), |name| format!(" and {}", path(name)));
    let (weights, curve) = (path("weights.bin"), path("curve.svg"));
    writeln!(terminal.out, "weights {} in {weights}{embedded}, curve in {curve}", fitted.fingerprint)?;
    Ok(Exit::Done)
}

fn report(fitted: &Fitted, width: usize) -> String {
    let columns: &[Column] = match fitted.target {
        Target::Points => &POINTS,
        Target::Result => &RESULT,
        Target::Visits => &VISITS,
    };
    let headings: Vec<&str> =
        ["plies left", "validation positions"].into_iter().chain(columns.iter().map(|column| column.0)).collect();
    let mut rows = Table::new(1, &headings);
    for (left, errors) in fitted.rows() {
        let left =
            left.map_or(
                "all".to_owned(),
                |[least, most]| {
                    if least == most { least.to_string() } else { format!("{least}..{most}") }
                },
            );
        rows.add_row([left, errors.n.to_string()].into_iter().chain(columns.iter().map(|column| column.1(&errors))));
    }
    let (n, meaning) = (fitted.n_positions, Unit::of(fitted.target).meaning());
    format!("learned from {n} positions; {meaning}:\n{}", rows.text(width))
}

/// A column of the report: its heading, and the text of its cell.
type Column = (&'static str, fn(&MeanErrors) -> String);

const POINTS: [Column; 3] = [
    ("learned", |errors| format!("{:.2}", errors.learned)),
    ("static eval", |errors| format!("{:.2}", errors.known)),
    ("score", |errors| format!("{:.2}", errors.zero)),
];

const RESULT: [Column; 2] =
    [("learned", |errors| format!("{:.3}", errors.learned)), ("even chances", |errors| format!("{:.3}", errors.zero))];

const VISITS: [Column; 4] = [
    ("learned", |errors| format!("{:.3}", errors.learned)),
    ("entropy", |errors| format!("{:.3}", errors.known)),
    ("uniform", |errors| format!("{:.3}", errors.zero)),
    ("top-1", |errors| format!("{:.1} %", 100.0 * errors.hits)),
];

/// A live line, and Ctrl-C.
struct Progress<'a> {
    line: ProgressBar,
    unit: Unit,
    interrupt: &'a Interrupt,
}

impl TrainingObserver for Progress<'_> {
    fn stopped(&self) -> bool {
        self.interrupt.pressed()
    }

    fn played(&self, games: u64, of: u64) {
        self.line.set_message(format!("{games} of {of} games"));
    }

    fn fitted(&self, epoch: &Epoch) {
        let Epoch { number, training, validation } = epoch;
        let what = self.unit.meaning();
        self.line.set_message(format!("epoch {number}: {what}: validation {validation:.3}, training {training:.3}"));
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}
