//! `banyan train`: learns an evaluation from games that Banyan plays against itself.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use banyan_catalog::Catalog;
use banyan_catalog::training::{Epoch, Fitted, TrainingFolder, TrainingObserver, TrainingPlan, play_games};
use banyan_core::TextError;
use clap::Args;
use indicatif::ProgressBar;

use crate::Exit;
use crate::interrupt::Interrupt;
use crate::search_progress::live_line;
use crate::table::Table;
use crate::terminal::Terminal;

const EXAMPLES: &str = "\
Examples:
  banyan train dots-and-boxes --out dots --games 20000 --threads 2
  banyan train dots-and-boxes:4x4 --out small --games 2000 --proven

The folder holds train.toml (the plan), games.txt (a line for each game),
curve.csv and curve.svg (the errors after each pass) and weights.bin. The same
command goes on after an interruption; with more --games, it plays the rest.";

/// The most threads, as for players.
const MOST_THREADS: u32 = 256;

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct TrainArgs {
    /// The game: dots-and-boxes.
    game: String,

    /// The evaluation to learn; the first of the game by default.
    evaluation: Option<String>,

    /// Folder of the training: a new one, or one to go on with.
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

    /// Player of the first moves.
    #[arg(long, value_name = "PLAYER")]
    opening: Option<String>,

    /// Number of these moves: every game draws one from this range.
    #[arg(long, value_name = "A..B", value_parser = range)]
    opening_plies: Option<[u16; 2]>,

    /// Plies left in the positions that are learned from.
    #[arg(long, value_name = "A..B", value_parser = range)]
    plies_left: Option<[u16; 2]>,

    /// Learn only from positions whose value the player proved.
    #[arg(long)]
    proven: bool,

    /// Passes over all positions.
    #[arg(long, default_value_t = 10, value_name = "N")]
    epochs: u32,

    /// Size of the first step of a weight, in points.
    #[arg(long, default_value_t = 0.05, value_name = "POINTS")]
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
        if !(1..=MOST_THREADS).contains(&self.threads) {
            let expected = format!("expected 1 .. {MOST_THREADS} threads");
            bail!(TextError::new(format!("--threads {}", self.threads), expected, "try --threads 1"));
        }
        let usual = TrainingPlan::usual(&*catalog.game(&self.game)?, self.evaluation.as_deref())?;
        Ok(TrainingPlan {
            opening: self.opening.clone().unwrap_or(usual.opening),
            opening_plies: self.opening_plies.unwrap_or(usual.opening_plies),
            player: self.player.clone().unwrap_or(usual.player),
            budget: self.budget.clone().unwrap_or(usual.budget),
            plies_left: self.plies_left.unwrap_or(usual.plies_left),
            games: self.games,
            seed: self.seed,
            proven: self.proven,
            epochs: self.epochs,
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
    let progress = Progress { line: live_line(), interrupt: &interrupt };
    let is_whole = play_games(&mut folder, catalog, args.threads, &progress)?;
    let fitted = if is_whole { folder.fit(catalog, &progress)? } else { None };
    drop(progress);
    let Some(fitted) = fitted else {
        let (n, of) = (folder.n_games(), folder.plan().games);
        writeln!(terminal.err, "interrupted after {n} of {of} games; the same command goes on")?;
        return Ok(Exit::Interrupted);
    };
    write!(terminal.out, "{}", report(&fitted, terminal.width))?;
    let names = ["weights.bin", "curve.svg"].map(|name| folder.file(name).display().to_string());
    writeln!(terminal.out, "weights {} in {}, curve in {}", fitted.fingerprint, names[0], names[1])?;
    Ok(Exit::Done)
}

fn report(fitted: &Fitted, width: usize) -> String {
    let mut rows = Table::new(1, &["plies left", "unseen positions", "learned", "by rule", "score alone"]);
    for (left, errors) in fitted.rows() {
        let left = left.map_or("all".to_owned(), |left| left.to_string());
        let error = |error: f64| format!("{error:.2}");
        let (learned, known, zero) = (error(errors.learned), error(errors.known), error(errors.zero));
        rows.add_row([left, errors.n.to_string(), learned, known, zero]);
    }
    format!("learned from {} positions; mean absolute errors in points:\n{}", fitted.n_positions, rows.text(width))
}

/// A live line, and Ctrl-C.
struct Progress<'a> {
    line: ProgressBar,
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
        let Epoch { number, learned_from, unseen } = epoch;
        self.line.set_message(format!("pass {number}: mean error {unseen:.3} points, learned from {learned_from:.3}"));
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}
